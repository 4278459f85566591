-- name: InsertPolicy :one
INSERT INTO policies (id, kind, target, mode, document, attached_at, attached_by, detached_at, detached_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, 0, '') RETURNING num;

-- name: DetachPolicy :execrows
UPDATE policies SET detached_at = $1, detached_by = $2 WHERE id = $3 AND detached_at = 0;

-- name: PolicyByID :one
SELECT * FROM policies WHERE id = $1;

-- name: AttachedPolicies :many
SELECT * FROM policies WHERE detached_at = 0 ORDER BY num;

-- name: Policies :many
SELECT * FROM policies ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: PutStated :exec
INSERT INTO stated (ask, principal, declaration, component, txn, operation, boundary, scope, cleanup, policy, class, stated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (ask) DO UPDATE SET policy = excluded.policy, class = excluded.class;

-- name: StatedOf :one
SELECT * FROM stated WHERE ask = $1;

-- name: AnyStated :one
SELECT CAST(EXISTS (SELECT 1 FROM stated) AS BIGINT);

-- name: CommitsOf :many
SELECT * FROM stated WHERE principal = $1 AND txn = $2 AND operation = $3 AND boundary <> ''
ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: InsertScope :one
INSERT INTO scopes (id, principal, agent, session, component, state, is_open, document, created_at, moved_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING num;

-- name: PutScope :execrows
UPDATE scopes SET state = $1, is_open = $2, document = $3, moved_at = $4 WHERE id = $5;

-- name: ScopeByID :one
SELECT * FROM scopes WHERE id = $1;

-- name: ScopePrefix :many
SELECT id FROM scopes WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 2;

-- name: AnyScope :one
SELECT CAST(EXISTS (SELECT 1 FROM scopes) AS BIGINT);

-- name: NewestScope :one
SELECT * FROM scopes WHERE principal = $1 AND component = $2 ORDER BY num DESC LIMIT 1;

-- name: ScopesOfSession :many
SELECT * FROM scopes WHERE session = $1 AND is_open = 1 ORDER BY num;

-- name: ScopesHeld :one
SELECT COUNT(*) FROM scopes WHERE principal = $1 AND is_open = 1;

-- name: Scopes :many
SELECT * FROM scopes WHERE num < $1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: OpenScopes :many
SELECT * FROM scopes WHERE num < $1 AND is_open = 1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: InsertTransaction :one
INSERT INTO transactions (id, principal, agent, session, host_id, stage, outcome, is_open, document, created_at, moved_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING num;

-- name: PutTransaction :execrows
UPDATE transactions SET stage = $1, outcome = $2, is_open = $3, document = $4, moved_at = $5 WHERE id = $6;

-- name: TransactionByID :one
SELECT * FROM transactions WHERE id = $1;

-- name: TransactionPrefix :many
SELECT id FROM transactions WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 2;

-- name: TransactionOfHost :one
SELECT * FROM transactions WHERE principal = $1 AND host_id = $2;

-- name: Transactions :many
SELECT * FROM transactions WHERE num < $1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: OpenTransactions :many
SELECT * FROM transactions WHERE num < $1 AND is_open = 1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: TransactionsHeld :many
SELECT * FROM transactions WHERE principal = $1 AND is_open = 1 ORDER BY num LIMIT CAST(sqlc.arg(n) AS BIGINT);
