-- The tables of migrations/ in the PostgreSQL dialect that sqlc reads. A test
-- compares them with a migrated store, column by column.

CREATE TABLE meta (
    id BIGINT NOT NULL,
    store_id TEXT NOT NULL,
    kept TEXT NOT NULL,
    turn BIGINT NOT NULL,
    marked BIGINT NOT NULL
);

CREATE TABLE asks (
    seq BIGINT NOT NULL,
    stretch BIGINT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    urgency BIGINT NOT NULL,
    action_digest TEXT NOT NULL,
    shown_digest TEXT NOT NULL,
    ask_digest TEXT NOT NULL,
    session TEXT NOT NULL,
    like_hash BIGINT NOT NULL,
    events TEXT NOT NULL,
    call_key TEXT NOT NULL,
    call_hash BIGINT NOT NULL,
    agent TEXT NOT NULL,
    user_name TEXT NOT NULL,
    host TEXT NOT NULL,
    tool TEXT NOT NULL,
    gist TEXT NOT NULL,
    gist_more BIGINT NOT NULL,
    cwd TEXT NOT NULL,
    reasons TEXT NOT NULL,
    mandated BIGINT NOT NULL,
    irreversible BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    answer_by BIGINT NOT NULL,
    use_within_ms BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    moved_at BIGINT NOT NULL,
    waiter_hash TEXT NOT NULL,
    waiter_until BIGINT NOT NULL,
    rule_name TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    replaces TEXT NOT NULL,
    edits BIGINT NOT NULL,
    derived_from TEXT NOT NULL,
    edited_to TEXT NOT NULL,
    verdict TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    decider TEXT NOT NULL,
    decided_way TEXT NOT NULL,
    decided_at BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    words TEXT NOT NULL,
    answer TEXT NOT NULL,
    dwell_ms BIGINT NOT NULL,
    lines_seen BIGINT NOT NULL,
    lines_all BIGINT NOT NULL,
    revoke_reason TEXT NOT NULL,
    outcome TEXT NOT NULL,
    exit_status TEXT NOT NULL,
    mismatch BIGINT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE contents (
    num BIGINT NOT NULL,
    hash BIGINT NOT NULL,
    digest TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE events (
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    ask TEXT NOT NULL,
    body TEXT NOT NULL,
    kept TEXT NOT NULL
);

CREATE TABLE attempts (
    num BIGINT NOT NULL,
    id TEXT NOT NULL,
    ask_id TEXT NOT NULL,
    attempt_no BIGINT NOT NULL,
    state TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    executor TEXT NOT NULL,
    host_runs BIGINT NOT NULL,
    session TEXT NOT NULL,
    began_at BIGINT NOT NULL,
    lease BIGINT NOT NULL,
    lease_ms BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    exit_status TEXT NOT NULL,
    observed TEXT NOT NULL,
    mismatch BIGINT NOT NULL,
    late BIGINT NOT NULL,
    reference TEXT NOT NULL,
    desk BIGINT NOT NULL,
    effect TEXT NOT NULL,
    settle_ms BIGINT NOT NULL,
    claims BIGINT NOT NULL,
    watched BIGINT NOT NULL
);

CREATE TABLE sessions (
    num BIGINT NOT NULL,
    id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    principal TEXT NOT NULL,
    agent TEXT NOT NULL,
    parent TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    last_act BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    tree TEXT NOT NULL,
    armed_at BIGINT NOT NULL,
    observed_at BIGINT NOT NULL,
    governed_at BIGINT NOT NULL,
    target TEXT NOT NULL,
    unreadable TEXT NOT NULL,
    told TEXT NOT NULL,
    receipts TEXT NOT NULL,
    words_max BIGINT NOT NULL,
    source TEXT NOT NULL,
    clamps TEXT NOT NULL
);

CREATE TABLE records (
    num BIGINT NOT NULL,
    session TEXT NOT NULL,
    run TEXT NOT NULL,
    phase TEXT NOT NULL,
    body TEXT NOT NULL,
    written_at BIGINT NOT NULL
);

CREATE TABLE grants (
    num BIGINT NOT NULL,
    id TEXT NOT NULL,
    action_digest TEXT NOT NULL,
    session TEXT NOT NULL,
    uses_left BIGINT NOT NULL,
    until_ms BIGINT NOT NULL,
    granted_by TEXT NOT NULL,
    granted_at BIGINT NOT NULL
);

CREATE TABLE freezes (
    id BIGINT NOT NULL,
    session TEXT NOT NULL,
    since BIGINT NOT NULL,
    frozen_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    lifted_at BIGINT NOT NULL
);

CREATE TABLE notices (
    id BIGINT NOT NULL,
    code TEXT NOT NULL,
    ask TEXT NOT NULL,
    session TEXT NOT NULL,
    sentence TEXT NOT NULL,
    raised_at BIGINT NOT NULL,
    acked_at BIGINT NOT NULL,
    acked_by TEXT NOT NULL,
    detail TEXT NOT NULL,
    once TEXT NOT NULL,
    owed BIGINT NOT NULL,
    carried BIGINT NOT NULL,
    parent TEXT NOT NULL
);

CREATE TABLE deliveries (
    num BIGINT NOT NULL,
    ask TEXT NOT NULL,
    session TEXT NOT NULL,
    receipts TEXT NOT NULL,
    stage TEXT NOT NULL,
    words TEXT NOT NULL,
    is_owed BIGINT NOT NULL,
    carry TEXT NOT NULL,
    item TEXT NOT NULL,
    notice BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    decided_at BIGINT NOT NULL,
    handed_at BIGINT NOT NULL,
    acked_at BIGINT NOT NULL,
    resent_at BIGINT NOT NULL,
    closed_at BIGINT NOT NULL,
    closed_by TEXT NOT NULL,
    reason TEXT NOT NULL
);

CREATE TABLE marks (
    seq BIGINT NOT NULL,
    snoozed_until BIGINT NOT NULL,
    claimed_by TEXT NOT NULL,
    claimed_until BIGINT NOT NULL
);

CREATE TABLE effects (
    num BIGINT NOT NULL,
    id TEXT NOT NULL,
    effect_key TEXT NOT NULL,
    key_hash BIGINT NOT NULL,
    ordinal BIGINT NOT NULL,
    links TEXT NOT NULL,
    ask TEXT NOT NULL,
    tool TEXT NOT NULL,
    gist TEXT NOT NULL,
    gist_more BIGINT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    class TEXT NOT NULL,
    alike TEXT NOT NULL,
    alike_hash BIGINT NOT NULL,
    standing TEXT NOT NULL,
    mark TEXT NOT NULL,
    possible_double BIGINT NOT NULL,
    is_open BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    repeats BIGINT NOT NULL,
    reference TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    moved_at BIGINT NOT NULL,
    reconciled_at BIGINT NOT NULL
);

CREATE TABLE facts (
    num BIGINT NOT NULL,
    effect TEXT NOT NULL,
    attempt TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    said_by TEXT NOT NULL,
    says TEXT NOT NULL,
    durable BIGINT NOT NULL,
    divergent BIGINT NOT NULL,
    late BIGINT NOT NULL,
    early BIGINT NOT NULL,
    proof BIGINT NOT NULL,
    why TEXT NOT NULL,
    exit_status TEXT NOT NULL,
    observed TEXT NOT NULL,
    seen TEXT NOT NULL,
    reference TEXT NOT NULL,
    reason TEXT NOT NULL,
    page TEXT NOT NULL,
    allowed TEXT NOT NULL,
    content TEXT NOT NULL
);

CREATE TABLE repeats (
    num BIGINT NOT NULL,
    effect TEXT NOT NULL,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    code TEXT NOT NULL,
    times BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);

CREATE TABLE keyed (
    seq BIGINT NOT NULL,
    key_hash BIGINT NOT NULL,
    effect_key TEXT NOT NULL
);

CREATE TABLE policies (
    num BIGINT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    mode TEXT NOT NULL,
    document TEXT NOT NULL,
    attached_at BIGINT NOT NULL,
    attached_by TEXT NOT NULL,
    detached_at BIGINT NOT NULL,
    detached_by TEXT NOT NULL
);

CREATE TABLE stated (
    num BIGINT NOT NULL,
    ask TEXT NOT NULL,
    principal TEXT NOT NULL,
    declaration TEXT NOT NULL,
    component TEXT NOT NULL,
    txn TEXT NOT NULL,
    operation TEXT NOT NULL,
    boundary TEXT NOT NULL,
    scope TEXT NOT NULL,
    cleanup BIGINT NOT NULL,
    policy TEXT NOT NULL,
    class TEXT NOT NULL,
    stated_at BIGINT NOT NULL
);

CREATE TABLE scopes (
    num BIGINT NOT NULL,
    id TEXT NOT NULL,
    principal TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    component TEXT NOT NULL,
    state TEXT NOT NULL,
    is_open BIGINT NOT NULL,
    document TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    moved_at BIGINT NOT NULL
);

CREATE TABLE transactions (
    num BIGINT NOT NULL,
    id TEXT NOT NULL,
    principal TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    host_id TEXT NOT NULL,
    stage TEXT NOT NULL,
    outcome TEXT NOT NULL,
    is_open BIGINT NOT NULL,
    document TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    moved_at BIGINT NOT NULL
);

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
