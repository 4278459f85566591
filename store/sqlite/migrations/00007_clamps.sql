-- +goose Up
-- What a host declared of a session when it registered it (DESIGN §7): where it
-- says that it comes from, and its own clamps, canonical JSON; '' is none.
ALTER TABLE sessions ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN clamps TEXT NOT NULL DEFAULT '';
