-- name: MarkOf :one
SELECT * FROM marks WHERE seq = $1;

-- name: PutMark :exec
INSERT INTO marks (seq, snoozed_until, claimed_by, claimed_until) VALUES ($1, $2, $3, $4)
ON CONFLICT (seq) DO UPDATE SET snoozed_until = excluded.snoozed_until,
    claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until;

-- name: DropMark :execrows
DELETE FROM marks WHERE seq = $1;

-- name: SetMarks :execrows
UPDATE meta SET turn = $1, marked = $2 WHERE id = 1;

-- name: Snoozed :one
SELECT count(*) AS n, CAST(COALESCE(MIN(snoozed_until), 0) AS BIGINT) AS wakes FROM marks WHERE snoozed_until > $1;

-- name: MarkTurn :one
SELECT turn FROM meta WHERE id = 1;
