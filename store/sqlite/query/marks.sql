-- name: MarkOf :one
SELECT * FROM marks WHERE seq = $1;

-- name: PutMark :exec
INSERT INTO marks (seq, snoozed_until, claimed_by, claimed_until) VALUES ($1, $2, $3, $4)
ON CONFLICT (seq) DO UPDATE SET snoozed_until = excluded.snoozed_until,
    claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until;

-- name: DropMark :execrows
DELETE FROM marks WHERE seq = $1;

-- name: SetMarked :execrows
UPDATE meta SET turn = turn + 1, marked = $1 WHERE id = 1;

-- name: Marks :many
SELECT * FROM marks ORDER BY seq;

-- name: Turn :one
SELECT turn FROM meta WHERE id = 1;
