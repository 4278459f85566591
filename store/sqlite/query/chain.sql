-- name: ReadMeta :one
SELECT * FROM meta WHERE id = 1;

-- name: InsertMeta :exec
INSERT INTO meta (id, store_id, head_seq, head_hash, last_effective, offset_ms, held_since,
    pending, mandated, questions, allowed, unknown_effects, notices, asks, denied, expired, spent)
VALUES (1, $1, 0, $2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

-- name: SetMeta :execrows
UPDATE meta SET head_seq = $1, head_hash = $2, last_effective = $3, offset_ms = $4,
    held_since = $5, pending = $6, mandated = $7, questions = $8, allowed = $9,
    unknown_effects = $10, notices = $11, asks = $12, denied = $13, expired = $14, spent = $15
WHERE id = 1;

-- name: HeadSeq :one
SELECT head_seq FROM meta WHERE id = 1;

-- name: InsertEvent :exec
INSERT INTO events (seq, hash, ask, body) VALUES ($1, $2, $3, $4);

-- name: EventsAfter :many
SELECT seq, hash, body FROM events WHERE seq > $1
ORDER BY seq LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: EventsOfAsk :many
SELECT seq, hash, body FROM events WHERE ask <> '' AND ask = $1 AND seq > $2
ORDER BY seq LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: ContentBody :one
SELECT body FROM contents WHERE hash = $1 AND digest = $2;

-- name: InsertContent :exec
INSERT INTO contents (hash, digest, body)
SELECT CAST(sqlc.arg(hash) AS BIGINT), CAST(sqlc.arg(digest) AS TEXT), CAST(sqlc.arg(body) AS TEXT)
WHERE NOT EXISTS (SELECT 1 FROM contents WHERE hash = sqlc.arg(hash) AND digest = sqlc.arg(digest));

-- name: LastEvent :one
SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1;
