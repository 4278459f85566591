-- name: InsertAttempt :exec
INSERT INTO attempts (id, ask_id, attempt_no, state, token_hash, executor, host_runs, session,
    began_at, lease, lease_ms, ended_at, exit_status, observed, mismatch, late, reference, desk,
    effect, settle_ms, claims, watched)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22);

-- name: MoveAttempt :execrows
UPDATE attempts SET state = $1, lease = $2, ended_at = $3, exit_status = $4, observed = $5,
    mismatch = $6, late = $7, reference = $8, desk = $9
WHERE id = $10 AND state = $11;

-- name: AttemptByID :one
SELECT * FROM attempts WHERE id = $1;

-- name: AttemptsOf :many
SELECT * FROM attempts WHERE ask_id = $1 ORDER BY num;

-- name: ExecutingOf :many
SELECT * FROM attempts WHERE session = $1 AND state = 'executing' AND host_runs = 1 ORDER BY num;

-- name: DueAttempts :many
SELECT * FROM attempts WHERE state = 'executing' AND lease <= $1
ORDER BY lease LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: NextDueAttempt :one
SELECT lease FROM attempts WHERE state = 'executing' ORDER BY lease LIMIT 1;
