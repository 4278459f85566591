-- +goose Up
-- Effect policy (DESIGN §7): what operators attached, what calls state for it,
-- what components owe, and what hosts report of their transactions. Documents
-- are whole; the columns beside them are what is looked up.
CREATE TABLE policies (
    num         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL,
    kind        TEXT    NOT NULL CHECK (kind = 'agent' OR kind = 'session' OR kind = 'run'),
    target      TEXT    NOT NULL,
    mode        TEXT    NOT NULL,
    document    TEXT    NOT NULL,
    attached_at INTEGER NOT NULL,
    attached_by TEXT    NOT NULL,
    detached_at INTEGER NOT NULL,
    detached_by TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX policies_id ON policies (id);
CREATE UNIQUE INDEX policies_target ON policies (kind, target) WHERE detached_at = 0;

-- What a call states for a policy, and a commit names: one row an ask that does.
CREATE TABLE stated (
    num         INTEGER PRIMARY KEY,
    ask         TEXT    NOT NULL,
    principal   TEXT    NOT NULL,
    declaration TEXT    NOT NULL,
    component   TEXT    NOT NULL,
    txn         TEXT    NOT NULL,
    operation   TEXT    NOT NULL,
    boundary    TEXT    NOT NULL, -- of a commit
    scope       TEXT    NOT NULL, -- of an owed cleanup
    cleanup     INTEGER NOT NULL,
    policy      TEXT    NOT NULL, -- that it began under
    class       TEXT    NOT NULL,
    stated_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX stated_ask ON stated (ask);
CREATE INDEX stated_commits ON stated (principal, txn, operation, num) WHERE boundary <> '';

CREATE TABLE scopes (
    num        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL,
    principal  TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    component  TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state = 'loading' OR state = 'active' OR state = 'unloading' OR state = 'inactive' OR state = 'failed'),
    is_open    INTEGER NOT NULL CHECK (is_open = 0 OR is_open = 1),
    document   TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    moved_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX scopes_id ON scopes (id);
CREATE INDEX scopes_component ON scopes (principal, component, num);
CREATE INDEX scopes_open ON scopes (num) WHERE is_open = 1;
CREATE INDEX scopes_held ON scopes (principal) WHERE is_open = 1;
CREATE INDEX scopes_session ON scopes (session) WHERE is_open = 1;

CREATE TABLE transactions (
    num        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL,
    principal  TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    host_id    TEXT    NOT NULL,
    stage      TEXT    NOT NULL,
    outcome    TEXT    NOT NULL CHECK (outcome = 'in_progress' OR outcome = 'succeeded' OR outcome = 'failed' OR outcome = 'recovered' OR outcome = 'diverged'),
    is_open    INTEGER NOT NULL CHECK (is_open = 0 OR is_open = 1),
    document   TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    moved_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX transactions_id ON transactions (id);
CREATE UNIQUE INDEX transactions_host ON transactions (principal, host_id);
CREATE INDEX transactions_open ON transactions (num) WHERE is_open = 1;
CREATE INDEX transactions_held ON transactions (principal, num) WHERE is_open = 1;
