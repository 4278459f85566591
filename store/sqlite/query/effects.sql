-- name: InsertEffect :one
INSERT INTO effects (id, effect_key, key_hash, ordinal, links, ask, tool, gist, gist_more, agent, session, class, alike,
    alike_hash, standing, mark, possible_double, is_open, attempts, repeats, reference, created_at, moved_at, reconciled_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)
RETURNING num;

-- name: PutEffect :execrows
UPDATE effects SET ask = $1, tool = $2, gist = $3, gist_more = $4, agent = $5, session = $6, class = $7, alike = $8,
    alike_hash = $9, standing = $10, mark = $11, possible_double = $12, is_open = $13, attempts = $14, repeats = $15,
    reference = $16, moved_at = $17, reconciled_at = $18
WHERE num = $19;

-- name: EffectByID :one
SELECT * FROM effects WHERE id = $1;

-- name: EffectOfRef :one
SELECT * FROM effects WHERE reference <> '' AND reference = $1 AND tool = $2 AND id <> $3 ORDER BY num LIMIT 1;

-- name: EffectPrefix :many
SELECT id FROM effects WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 2;

-- name: EffectByKey :one
SELECT * FROM effects WHERE key_hash <> 0 AND key_hash = $1 AND effect_key = $2 ORDER BY ordinal DESC LIMIT 1;

-- name: BlockingOfKey :one
SELECT * FROM effects WHERE key_hash <> 0 AND key_hash = $1 AND effect_key = $2
    AND (standing = 'executing' OR standing = 'unknown') ORDER BY ordinal DESC LIMIT 1;

-- name: EffectAlike :one
SELECT * FROM effects WHERE standing <> 'free' AND alike_hash = $1 AND alike = $2
    AND (effect_key = '' OR effect_key <> $3) ORDER BY num DESC LIMIT 1;

-- name: Effects :many
SELECT * FROM effects WHERE num < $1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: EffectsOfKey :many
SELECT * FROM effects WHERE key_hash <> 0 AND key_hash = $1 AND effect_key = $2 ORDER BY ordinal;

-- name: OpenEffects :many
SELECT * FROM effects WHERE is_open = 1 AND num < $1 ORDER BY num DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: AttemptsOfEffect :many
SELECT * FROM attempts WHERE effect <> '' AND effect = $1 ORDER BY num;

-- name: InsertFact :exec
INSERT INTO facts (effect, attempt, said_at, kind, source, said_by, says, durable, divergent, late, early, proof, why,
    exit_status, observed, seen, reference, reason, page, allowed, content)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21);

-- name: FactsOf :many
SELECT * FROM facts WHERE effect = $1 ORDER BY num;

-- name: AddRepeat :exec
INSERT INTO repeats (effect, session, agent, code, times, first_at, last_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (effect, session) DO UPDATE SET code = excluded.code, times = repeats.times + excluded.times,
    last_at = excluded.last_at;

-- name: RepeatsOf :many
SELECT * FROM repeats WHERE effect = $1 ORDER BY num LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: InsertKeyed :exec
INSERT INTO keyed (seq, key_hash, effect_key) VALUES ($1, $2, $3);

-- name: OpenOfKey :many
SELECT keyed.seq FROM keyed JOIN asks ON asks.seq = keyed.seq
WHERE keyed.key_hash = $1 AND keyed.effect_key = $2 AND asks.due_at > 0
ORDER BY keyed.seq DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);
