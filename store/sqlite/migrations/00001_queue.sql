-- +goose Up
-- Times are effective Unix milliseconds, 0 for not yet; flags are 0 or 1;
-- texts are '' for not stated. Words of a state are checked here as in the
-- queue (chains of OR: an IN list of constants is built anew by each INSERT).

-- kept texts hold the clock and the kept counters as they are after a commit:
-- whole numbers, the first of which grows with each commit. They stand with the
-- commit's last event, whose page is written anyway; only a commit without an
-- event writes them here. The greater first number counts.
CREATE TABLE meta (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    store_id TEXT    NOT NULL CHECK (length(store_id) = 36),
    kept     TEXT    NOT NULL
) STRICT;

-- call_hash and like_hash are the first 8 bytes of a SHA-256, so that an index
-- entry is small; whoever looks there compares the whole value too. body is the
-- ask's document under its digest ask_digest, '' once pruned: it arrives and is
-- read with its row, so it costs no page and no index of its own.
CREATE TABLE asks (
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
CREATE UNIQUE INDEX asks_id ON asks (id);
-- A session's asks: by a scan of its entries it answers for a call key, for like
-- asks and for the open ones. It begins with the stretch of 2,048 arrivals in
-- which the ask came, so that the entries of a commit lie on few pages, however
-- many sessions are at work; an index by session or hash writes a page for nearly
-- each ask. A look goes through all stretches, a few microseconds each.
CREATE INDEX asks_session ON asks (stretch, session, seq, call_hash, like_hash, due_at);
CREATE INDEX asks_pending ON asks (urgency, seq) WHERE state = 'pending';
CREATE INDEX asks_agent ON asks (agent) WHERE state = 'pending';
CREATE INDEX asks_due ON asks (due_at) WHERE due_at > 0;
CREATE INDEX asks_history ON asks (seq) WHERE state <> 'pending';
CREATE INDEX asks_state ON asks (state, seq) WHERE state <> 'pending';

-- An ask without its document, as lists and checks read it. What can hold no
-- bar is packed: each column of a result costs as much as reading it.
CREATE VIEW ask_rows AS SELECT
    seq, id, state, urgency, session, due_at,
    agent, user_name, host, tool, gist, cwd, decider, words, answer, rule_name,
    CAST(concat_ws('|',
        seq, id, kind, state, urgency, action_digest, shown_digest, ask_digest, session,
        call_key, gist_more, reasons, mandated, irreversible, created_at, answer_by,
        use_within_ms, moved_at, waiter_hash, waiter_until, grant_id, replaces, verdict,
        decided_by, decided_way, decided_at, not_before, dwell_ms, lines_seen, lines_all,
        revoke_reason, outcome, exit_status, mismatch) AS TEXT) AS packed
FROM asks;

-- Contents that came without an ask, by their digest; a row may be pruned, the
-- chain still verifies.
CREATE TABLE contents (
    num    INTEGER PRIMARY KEY,
    hash   INTEGER NOT NULL,
    digest TEXT    NOT NULL,
    body   TEXT    NOT NULL
) STRICT;
CREATE INDEX contents_hash ON contents (hash);

CREATE TABLE events (
    seq  INTEGER PRIMARY KEY CHECK (seq > 0),
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    ask  TEXT NOT NULL, -- '' also for an event that its ask's row names
    body TEXT NOT NULL,
    kept TEXT NOT NULL
) STRICT;
CREATE INDEX events_ask ON events (ask) WHERE ask <> '';

-- +goose StatementBegin
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
-- +goose StatementEnd

CREATE TABLE attempts (
    num         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL,
    ask_id      TEXT    NOT NULL REFERENCES asks (id),
    attempt_no  INTEGER NOT NULL,
    state       TEXT    NOT NULL CHECK (state = 'executing' OR state = 'committed' OR state = 'not_executed' OR state = 'unknown'),
    token_hash  TEXT    NOT NULL,
    executor    TEXT    NOT NULL,
    host_runs   INTEGER NOT NULL CHECK (host_runs = 0 OR host_runs = 1),
    session     TEXT    NOT NULL,
    began_at    INTEGER NOT NULL,
    lease       INTEGER NOT NULL,
    lease_ms    INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    exit_status TEXT    NOT NULL CHECK (exit_status = '' OR exit_status = 'success' OR exit_status = 'failure'
                        OR exit_status = 'timeout' OR exit_status = 'blocked'),
    observed    TEXT    NOT NULL,
    mismatch    INTEGER NOT NULL CHECK (mismatch = 0 OR mismatch = 1),
    late        INTEGER NOT NULL CHECK (late = 0 OR late = 1),
    reference   TEXT    NOT NULL,
    desk        INTEGER NOT NULL CHECK (desk = 0 OR desk = 1)
) STRICT;
CREATE UNIQUE INDEX attempts_id ON attempts (id);
CREATE INDEX attempts_ask ON attempts (ask_id);
CREATE INDEX attempts_due ON attempts (lease) WHERE state = 'executing';
CREATE INDEX attempts_session ON attempts (session) WHERE state = 'executing';

CREATE TABLE sessions (
    num        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL,
    host_id    TEXT    NOT NULL,
    principal  TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    parent     TEXT    NOT NULL,
    started_at INTEGER NOT NULL,
    last_act   INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_parent ON sessions (parent) WHERE parent <> '';
-- A touch of a live session changes no index.
CREATE INDEX sessions_live ON sessions (num) WHERE ended_at = 0;
CREATE INDEX sessions_ended ON sessions (last_act) WHERE ended_at > 0;

CREATE TABLE grants (
    num           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL,
    action_digest TEXT    NOT NULL,
    session       TEXT    NOT NULL,
    uses_left     INTEGER NOT NULL CHECK (uses_left >= 0),
    until_ms      INTEGER NOT NULL,
    granted_by    TEXT    NOT NULL,
    granted_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX grants_id ON grants (id);
CREATE INDEX grants_for ON grants (session, action_digest) WHERE uses_left > 0;

CREATE TABLE freezes (
    id        INTEGER PRIMARY KEY,
    session   TEXT    NOT NULL,
    since     INTEGER NOT NULL,
    frozen_by TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    lifted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX freezes_since ON freezes (since);

CREATE TABLE notices (
    id       INTEGER PRIMARY KEY,
    code     TEXT    NOT NULL,
    ask      TEXT    NOT NULL,
    session  TEXT    NOT NULL,
    sentence TEXT    NOT NULL,
    raised_at INTEGER NOT NULL,
    acked_at INTEGER NOT NULL,
    acked_by TEXT    NOT NULL
) STRICT;
CREATE INDEX notices_open ON notices (id) WHERE acked_at = 0;

