-- name: ReadMeta :one
SELECT store_id, kept, turn, marked FROM meta WHERE id = 1;

-- name: InsertMeta :exec
INSERT INTO meta (id, store_id, kept) VALUES (1, $1, $2);

-- name: SetKept :execrows
UPDATE meta SET kept = $1 WHERE id = 1;

-- name: LastEvent :one
SELECT seq, hash, kept FROM events ORDER BY seq DESC LIMIT 1;

-- name: HeadSeq :one
SELECT seq FROM events ORDER BY seq DESC LIMIT 1;

-- name: InsertEvent :exec
INSERT INTO events (seq, hash, ask, body, kept) VALUES ($1, $2, $3, $4, $5);

-- name: EventsAfter :many
SELECT seq, hash, body FROM events WHERE seq > $1
ORDER BY seq LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: EventAt :one
SELECT seq, hash, body FROM events WHERE seq = $1 AND ask = '';

-- name: EventsOfAsk :many
SELECT seq, hash, body FROM events WHERE ask <> '' AND ask = $1 AND seq > $2
ORDER BY seq LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: ContentBody :one
SELECT body FROM contents WHERE hash = $1 AND digest = $2;

-- name: InsertContent :exec
INSERT INTO contents (hash, digest, body)
SELECT CAST(sqlc.arg(hash) AS BIGINT), CAST(sqlc.arg(digest) AS TEXT), CAST(sqlc.arg(body) AS TEXT)
WHERE NOT EXISTS (SELECT 1 FROM contents WHERE hash = sqlc.arg(hash) AND digest = sqlc.arg(digest));

