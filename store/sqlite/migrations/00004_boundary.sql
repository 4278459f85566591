-- +goose Up
-- What crosses a device's boundary (DESIGN §6): a session keeps its tree, or
-- names the one that it shares, and what was written down of it. A bit is held
-- since a time; 0 is absent.
ALTER TABLE sessions ADD COLUMN tree TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN armed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN observed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN governed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN target TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN unreadable TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN told TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_trees ON sessions (principal, last_act) WHERE ended_at = 0 AND (armed_at > 0 OR tree <> '');

CREATE TABLE records (
    num        INTEGER PRIMARY KEY,
    session    TEXT    NOT NULL,
    run        TEXT    NOT NULL,
    phase      TEXT    NOT NULL,
    body       TEXT    NOT NULL,
    written_at INTEGER NOT NULL
) STRICT;
CREATE INDEX records_session ON records (session, num);

ALTER TABLE notices ADD COLUMN detail TEXT NOT NULL DEFAULT '';
