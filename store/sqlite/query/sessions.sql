-- name: SessionByID :one
SELECT * FROM sessions WHERE id = $1;

-- Live sessions are few; of the ended ones only the newest are read.
-- name: Sessions :many
SELECT * FROM (
    SELECT * FROM sessions WHERE ended_at = 0
    UNION ALL
    SELECT * FROM (SELECT * FROM sessions WHERE ended_at > 0
        ORDER BY last_act DESC, num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT)) ended
) listed ORDER BY last_act DESC, num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: ChildrenOf :many
SELECT * FROM sessions WHERE parent <> '' AND parent = $1 ORDER BY num;

-- name: PutSession :exec
INSERT INTO sessions (id, host_id, principal, agent, parent, started_at, last_act, ended_at,
    tree, armed_at, observed_at, governed_at, target, unreadable, told, receipts, words_max, source, clamps)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
ON CONFLICT (id) DO UPDATE SET host_id = excluded.host_id, principal = excluded.principal,
    agent = excluded.agent, parent = excluded.parent, started_at = excluded.started_at,
    last_act = excluded.last_act, ended_at = excluded.ended_at, tree = excluded.tree,
    armed_at = excluded.armed_at, observed_at = excluded.observed_at, governed_at = excluded.governed_at,
    target = excluded.target, unreadable = excluded.unreadable, told = excluded.told,
    receipts = excluded.receipts, words_max = excluded.words_max, source = excluded.source, clamps = excluded.clamps;

-- Sessions that are live and hold or share a tree.
-- name: TreesOf :many
SELECT * FROM sessions WHERE principal = $1 AND last_act >= $2 AND ended_at = 0 AND (armed_at > 0 OR tree <> '')
ORDER BY last_act, num;

-- name: InsertRecord :exec
INSERT INTO records (session, run, phase, body, written_at) VALUES ($1, $2, $3, $4, $5);

-- name: RecordsOf :many
SELECT * FROM records WHERE session = $1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: InsertGrant :exec
INSERT INTO grants (id, action_digest, session, uses_left, until_ms, granted_by, granted_at)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: UseGrant :execrows
UPDATE grants SET uses_left = uses_left - 1 WHERE id = $1 AND uses_left > 0;

-- name: GrantFor :one
SELECT * FROM grants WHERE session = $1 AND action_digest = $2 AND uses_left > 0 AND until_ms > $3
ORDER BY num DESC LIMIT 1;

-- name: Grants :many
SELECT * FROM grants WHERE uses_left > 0 AND until_ms > $1 ORDER BY num;

-- name: LastGrant :one
SELECT CAST(COALESCE(MAX(until_ms), 0) AS BIGINT) FROM grants WHERE uses_left > 0;

-- name: InsertFreeze :one
INSERT INTO freezes (session, since, frozen_by, reason, lifted_at)
VALUES ($1, $2, $3, $4, $5) RETURNING id;

-- name: LiftFreeze :execrows
UPDATE freezes SET lifted_at = $1 WHERE id = $2 AND lifted_at = 0;

-- name: Freezes :many
SELECT * FROM freezes WHERE lifted_at = 0 ORDER BY id;

-- name: FreezeAfter :one
SELECT * FROM freezes WHERE since >= $1 AND (session = '' OR session = $2)
ORDER BY since DESC, id DESC LIMIT 1;

-- name: LastFreeze :one
SELECT CAST(COALESCE(MAX(since), -1) AS BIGINT) FROM freezes;

-- name: InsertNotice :one
INSERT INTO notices (code, ask, session, sentence, raised_at, acked_at, acked_by, detail, once, owed, carried, parent)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id;

-- name: NoticeOnce :one
SELECT * FROM notices WHERE once <> '' AND once = $1;

-- name: AckNotice :execrows
UPDATE notices SET acked_at = $1, acked_by = $2 WHERE id = $3 AND acked_at = 0;

-- name: NoticeByID :one
SELECT * FROM notices WHERE id = $1;

-- name: Notices :many
SELECT * FROM notices ORDER BY id DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: OpenNotices :many
SELECT * FROM notices WHERE acked_at = 0 ORDER BY id DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);
