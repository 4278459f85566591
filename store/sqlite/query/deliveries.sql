-- name: DeliveryOf :one
SELECT * FROM deliveries WHERE num = $1;

-- name: PutDelivery :exec
INSERT INTO deliveries (num, ask, session, receipts, stage, words, is_owed, carry, item, notice, due_at, decided_at, handed_at,
    acked_at, resent_at, closed_at, closed_by, reason)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
ON CONFLICT (num) DO UPDATE SET stage = excluded.stage, words = excluded.words, is_owed = excluded.is_owed,
    carry = excluded.carry, item = excluded.item, notice = excluded.notice, due_at = excluded.due_at,
    handed_at = excluded.handed_at, acked_at = excluded.acked_at, resent_at = excluded.resent_at,
    closed_at = excluded.closed_at, closed_by = excluded.closed_by, reason = excluded.reason;

-- name: Deliveries :many
SELECT * FROM deliveries WHERE num < $1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: OpenDeliveries :many
SELECT * FROM deliveries WHERE item <> '' AND num < $1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: DeliveriesOfNotice :many
SELECT * FROM deliveries WHERE notice > 0 AND notice = $1 AND num < $2 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: OwedOf :many
SELECT * FROM deliveries WHERE is_owed = 1 AND session = $1 ORDER BY num LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: DueDeliveries :many
SELECT * FROM deliveries WHERE due_at > 0 AND due_at <= $1 ORDER BY due_at, num LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: NextDueDelivery :one
SELECT due_at FROM deliveries WHERE due_at > 0 ORDER BY due_at LIMIT 1;
