-- +goose Up
-- The table of asks anew, with what an edit writes: body stays its last column,
-- so that no list reads through a long document. Two of its indexes get what
-- statistics and sessions read, so that they need no rows: asks_pending when an
-- ask was made, its tool and session, asks_history what became of it.
DROP VIEW ask_rows;
CREATE TABLE asks_anew (
    seq           INTEGER PRIMARY KEY,
    stretch       INTEGER NOT NULL CHECK (stretch = seq / 2048),
    id            TEXT    NOT NULL,
    kind          TEXT    NOT NULL CHECK (kind = 'call' OR kind = 'question' OR kind = 'commit'),
    state         TEXT    NOT NULL CHECK (state = 'pending' OR state = 'allowed' OR state = 'denied'
                          OR state = 'answered' OR state = 'expired' OR state = 'withdrawn'
                          OR state = 'revoked' OR state = 'lapsed' OR state = 'spent'),
    urgency       INTEGER NOT NULL,
    action_digest TEXT    NOT NULL,
    shown_digest  TEXT    NOT NULL,
    ask_digest    TEXT    NOT NULL,
    session       TEXT    NOT NULL,
    like_hash     INTEGER NOT NULL,
    events        TEXT    NOT NULL, -- numbers of the events that followed its INSERT and moves
    call_key      TEXT    NOT NULL,
    call_hash     INTEGER NOT NULL,
    agent         TEXT    NOT NULL,
    user_name     TEXT    NOT NULL,
    host          TEXT    NOT NULL,
    tool          TEXT    NOT NULL,
    gist          TEXT    NOT NULL,
    gist_more     INTEGER NOT NULL,
    cwd           TEXT    NOT NULL,
    reasons       TEXT    NOT NULL,
    mandated      INTEGER NOT NULL CHECK (mandated = 0 OR mandated = 1),
    irreversible  INTEGER NOT NULL CHECK (irreversible = 0 OR irreversible = 1),
    created_at    INTEGER NOT NULL,
    answer_by     INTEGER NOT NULL,
    use_within_ms INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    moved_at      INTEGER NOT NULL,
    waiter_hash   TEXT    NOT NULL,
    waiter_until  INTEGER NOT NULL,
    rule_name     TEXT    NOT NULL,
    grant_id      TEXT    NOT NULL,
    replaces      TEXT    NOT NULL,
    edits         INTEGER NOT NULL CHECK (edits = 0 OR edits = 1), -- its requester can run changed arguments
    derived_from  TEXT    NOT NULL, -- the ask that it is an edit of
    edited_to     TEXT    NOT NULL DEFAULT '', -- the ask that an edit put in its place
    verdict       TEXT    NOT NULL DEFAULT '' CHECK (verdict = '' OR verdict = 'allow' OR verdict = 'deny' OR verdict = 'answer'),
    decided_by    TEXT    NOT NULL DEFAULT '' CHECK (decided_by = '' OR decided_by = 'person' OR decided_by = 'rule' OR decided_by = 'grant'),
    decider       TEXT    NOT NULL DEFAULT '',
    decided_way   TEXT    NOT NULL DEFAULT '',
    decided_at    INTEGER NOT NULL DEFAULT 0,
    not_before    INTEGER NOT NULL DEFAULT 0,
    words         TEXT    NOT NULL DEFAULT '',
    answer        TEXT    NOT NULL DEFAULT '',
    dwell_ms      INTEGER NOT NULL DEFAULT 0,
    lines_seen    INTEGER NOT NULL DEFAULT 0,
    lines_all     INTEGER NOT NULL DEFAULT 0,
    revoke_reason TEXT    NOT NULL DEFAULT '',
    outcome       TEXT    NOT NULL DEFAULT '' CHECK (outcome = '' OR outcome = 'executing' OR outcome = 'committed'
                          OR outcome = 'not_executed' OR outcome = 'unknown'),
    exit_status   TEXT    NOT NULL DEFAULT '' CHECK (exit_status = '' OR exit_status = 'success' OR exit_status = 'failure'
                          OR exit_status = 'timeout' OR exit_status = 'blocked'),
    mismatch      INTEGER NOT NULL DEFAULT 0 CHECK (mismatch = 0 OR mismatch = 1),
    body          TEXT    NOT NULL
) STRICT;
INSERT INTO asks_anew (
    seq, stretch, id, kind, state, urgency, action_digest, shown_digest, ask_digest, session,
    like_hash, events, call_key, call_hash, agent, user_name, host, tool, gist, gist_more, cwd,
    reasons, mandated, irreversible, created_at, answer_by, use_within_ms, due_at, moved_at,
    waiter_hash, waiter_until, rule_name, grant_id, replaces, edits, derived_from, verdict,
    decided_by, decider, decided_way, decided_at, not_before, words, answer, dwell_ms, lines_seen,
    lines_all, revoke_reason, outcome, exit_status, mismatch, body)
SELECT
    seq, stretch, id, kind, state, urgency, action_digest, shown_digest, ask_digest, session,
    like_hash, events, call_key, call_hash, agent, user_name, host, tool, gist, gist_more, cwd,
    reasons, mandated, irreversible, created_at, answer_by, use_within_ms, due_at, moved_at,
    waiter_hash, waiter_until, rule_name, grant_id, replaces, 0, '', verdict, decided_by, decider,
    decided_way, decided_at, not_before, words, answer, dwell_ms, lines_seen, lines_all,
    revoke_reason, outcome, exit_status, mismatch, body
FROM asks;
DROP TABLE asks;
ALTER TABLE asks_anew RENAME TO asks;
CREATE UNIQUE INDEX asks_id ON asks (id);
CREATE INDEX asks_session ON asks (stretch, session, seq, call_hash, like_hash, due_at);
CREATE INDEX asks_pending ON asks (urgency, seq, created_at, tool, session) WHERE state = 'pending';
CREATE INDEX asks_agent ON asks (agent) WHERE state = 'pending';
CREATE INDEX asks_due ON asks (due_at) WHERE due_at > 0;
CREATE INDEX asks_history ON asks (seq, created_at, state, decided_by, decided_at, tool) WHERE state <> 'pending';
CREATE INDEX asks_state ON asks (state, seq) WHERE state <> 'pending';
CREATE VIEW ask_rows AS SELECT
    seq, id, state, urgency, session, due_at,
    agent, user_name, host, tool, gist, cwd, decider, words, answer, rule_name,
    CAST(concat_ws('|',
        seq, id, kind, state, urgency, action_digest, shown_digest, ask_digest, session,
        call_key, gist_more, reasons, mandated, irreversible, created_at, answer_by,
        use_within_ms, moved_at, waiter_hash, waiter_until, grant_id, replaces, verdict,
        decided_by, decided_way, decided_at, not_before, dwell_ms, lines_seen, lines_all,
        revoke_reason, outcome, exit_status, mismatch, edits, derived_from, edited_to) AS TEXT) AS packed
FROM asks;

-- What operators put on pending asks for themselves: no state, no event, nothing
-- that an audit looks at. seq is the ask's; a row goes with the ask's answer.
CREATE TABLE marks (
    seq           INTEGER PRIMARY KEY,
    snoozed_until INTEGER NOT NULL,
    claimed_by    TEXT    NOT NULL,
    claimed_until INTEGER NOT NULL
) STRICT;
-- turn grows with each change of a mark, so that who watches learns of it without
-- an event; marked is how many there are, so that who reads need not look.
ALTER TABLE meta ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE meta ADD COLUMN marked INTEGER NOT NULL DEFAULT 0;
