-- +goose Up
-- What becomes of a person's answer: who got it, and whether the words that went
-- with it arrived (DESIGN §4, Delivery ledger). Keyed by the ask's number. What
-- was answered before this has no row. item is why it is in the inbox, '' for not.
CREATE TABLE deliveries (
    num        INTEGER PRIMARY KEY,
    ask        TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    receipts   TEXT    NOT NULL CHECK (receipts = '' OR receipts = 'handed_over' OR receipts = 'acknowledged'),
    stage      TEXT    NOT NULL CHECK (stage = 'decided' OR stage = 'handed_over' OR stage = 'acknowledged'),
    words      TEXT    NOT NULL CHECK (words = '' OR words = 'owed' OR words = 'resent' OR words = 'carried'
                       OR words = 'told' OR words = 'dropped' OR words = 'returned'),
    is_owed    INTEGER NOT NULL CHECK (is_owed = (words = 'owed' OR words = 'resent')),
    carry      TEXT    NOT NULL,
    item       TEXT    NOT NULL CHECK (item = '' OR item = 'uncollected' OR item = 'refused' OR item = 'resent'),
    notice     INTEGER NOT NULL, -- that told of its words; 0 for none
    due_at     INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    handed_at  INTEGER NOT NULL,
    acked_at   INTEGER NOT NULL,
    resent_at  INTEGER NOT NULL,
    closed_at  INTEGER NOT NULL, -- when an operator was done with it
    closed_by  TEXT    NOT NULL,
    reason     TEXT    NOT NULL  -- why an operator dropped the words
) STRICT;
CREATE INDEX deliveries_open ON deliveries (num) WHERE item <> '';
CREATE INDEX deliveries_owed ON deliveries (session, num) WHERE is_owed = 1;
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE due_at > 0;
CREATE INDEX deliveries_notice ON deliveries (notice) WHERE notice > 0;

-- What the gateway of a session says when it handed an answer over, and how many
-- bytes of words it can carry (0: as many as Nod takes).
ALTER TABLE sessions ADD COLUMN receipts TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN words_max INTEGER NOT NULL DEFAULT 0;

-- What a notice is told once for; and, of words, what its sentences count.
ALTER TABLE notices ADD COLUMN once TEXT NOT NULL DEFAULT '';
ALTER TABLE notices ADD COLUMN owed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE notices ADD COLUMN carried INTEGER NOT NULL DEFAULT 0;
ALTER TABLE notices ADD COLUMN parent TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX notices_once ON notices (once) WHERE once <> '';
