-- name: InsertPending :exec
INSERT INTO asks (seq, stretch, id, kind, state, urgency, action_digest, shown_digest, ask_digest,
    session, like_hash, events, call_key, call_hash, agent, user_name, host,
    tool, gist, gist_more, cwd, reasons, mandated, irreversible, created_at, answer_by,
    use_within_ms, due_at, moved_at, waiter_hash, waiter_until, rule_name, grant_id, replaces, edits,
    derived_from, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37);

-- name: InsertDecided :exec
INSERT INTO asks (seq, stretch, id, kind, state, urgency, action_digest, shown_digest, ask_digest,
    session, like_hash, events, call_key, call_hash, agent, user_name, host,
    tool, gist, gist_more, cwd, reasons, mandated, irreversible, created_at, answer_by,
    use_within_ms, due_at, moved_at, waiter_hash, waiter_until, rule_name, grant_id, replaces, edits,
    derived_from, body,
    verdict, decided_by, decider, decided_way, decided_at, not_before, words, answer, dwell_ms,
    lines_seen, lines_all, revoke_reason, outcome, exit_status, mismatch, edited_to)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39,
    $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53);

-- name: MoveAsk :execrows
UPDATE asks SET state = $1, moved_at = $2, due_at = $3, verdict = $4, decided_by = $5,
    decider = $6, decided_way = $7, decided_at = $8, not_before = $9, words = $10, answer = $11,
    dwell_ms = $12, lines_seen = $13, lines_all = $14, rule_name = $15, grant_id = $16,
    revoke_reason = $17, use_within_ms = $18, edited_to = $19, events = events || $20
WHERE id = $21 AND state = $22 AND action_digest = $23 AND shown_digest = $24
    AND answer_by > $25;

-- name: SetWaiter :execrows
UPDATE asks SET waiter_hash = $1, waiter_until = $2 WHERE id = $3;

-- name: SetWaiterKey :one
UPDATE asks SET waiter_hash = $1, waiter_until = $2, call_key = $3, call_hash = $4 WHERE id = $5
RETURNING session;

-- name: SetOutcome :execrows
UPDATE asks SET outcome = $1, exit_status = $2, mismatch = $3 WHERE id = $4;

-- name: AskByID :one
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE id = $1;

-- name: AskPrefix :many
SELECT id FROM asks WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 2;

-- A submit looks up its call key and its like; mostly nothing is there, and a
-- statement with one column is cheap to answer with nothing.
-- name: SeqByCallKey :one
WITH RECURSIVE stretches (n) AS (
    SELECT COALESCE(MAX(seq), 0) / 2048 FROM asks
    UNION ALL SELECT n - 1 FROM stretches WHERE n > 0)
SELECT seq FROM stretches CROSS JOIN asks
WHERE asks.stretch = n AND asks.session = $1 AND asks.call_hash = $2 AND asks.call_key = $3
ORDER BY seq DESC LIMIT 1;

-- name: SeqsLike :many
WITH RECURSIVE stretches (n) AS (
    SELECT COALESCE(MAX(seq), 0) / 2048 FROM asks
    UNION ALL SELECT n - 1 FROM stretches WHERE n > 0)
SELECT seq FROM stretches CROSS JOIN asks
WHERE asks.stretch = n AND asks.session = $1 AND asks.like_hash = $2 AND asks.action_digest = $3
ORDER BY seq DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- All that the two above could find in a session.
-- name: HashesOfSession :many
WITH RECURSIVE stretches (n) AS (
    SELECT COALESCE(MAX(seq), 0) / 2048 FROM asks
    UNION ALL SELECT n - 1 FROM stretches WHERE n > 0)
SELECT call_hash, like_hash FROM stretches CROSS JOIN asks WHERE asks.stretch = n AND asks.session = $1;

-- name: AskBySeq :one
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE seq = $1;

-- The page after a key: the rest of its urgency, then the later urgencies.
-- name: PendingAfter :many
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE state = 'pending' AND (urgency, seq) > (CAST(sqlc.arg(after_urgency) AS BIGINT), CAST(sqlc.arg(after_seq) AS BIGINT))
ORDER BY urgency, seq LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: PendingBefore :many
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE state = 'pending' AND (urgency, seq) < (CAST(sqlc.arg(after_urgency) AS BIGINT), CAST(sqlc.arg(after_seq) AS BIGINT))
ORDER BY urgency DESC, seq DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: HistoryBefore :many
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE state <> 'pending' AND seq < $1
ORDER BY seq DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: HistoryOfState :many
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE state <> 'pending' AND state = $1 AND seq < $2
ORDER BY seq DESC LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: OpenOfSession :many
WITH RECURSIVE stretches (n) AS (
    SELECT COALESCE(MAX(seq), 0) / 2048 FROM asks
    UNION ALL SELECT n - 1 FROM stretches WHERE n > 0)
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE seq IN (
    SELECT asks.seq FROM stretches CROSS JOIN asks
    WHERE asks.stretch = n AND asks.session = $1 AND asks.due_at > 0
    ORDER BY asks.seq LIMIT CAST(sqlc.arg(most) AS BIGINT))
ORDER BY seq;

-- name: DueAsks :many
SELECT packed, agent, user_name, host, tool, gist, cwd, decider, words,
    answer, rule_name FROM ask_rows WHERE due_at > 0 AND due_at <= $1
ORDER BY due_at LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: NextDueAsk :one
SELECT due_at FROM asks WHERE due_at > 0 ORDER BY due_at LIMIT 1;

-- At most as many as an agent may have pending; the writer remembers it.
-- name: PendingOf :one
SELECT count(*) FROM asks WHERE state = 'pending' AND agent = $1;

-- name: AskBody :one
SELECT body FROM asks WHERE seq = $1;

-- name: EventsNamedBy :one
SELECT events FROM asks WHERE id = $1;
