-- +goose Up
-- Effects, what was said of them, and who ran into them (DESIGN §5). Every
-- desk attempt is of an effect; those that were there get one each, without a
-- key: what callers stated before was no name that their repeats shared.
CREATE TABLE effects (
    num           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL,
    effect_key    TEXT    NOT NULL, -- canonical array; '' where none is stated
    key_hash      INTEGER NOT NULL,
    ordinal       INTEGER NOT NULL CHECK (ordinal >= 1),
    links         TEXT    NOT NULL,
    ask           TEXT    NOT NULL,
    tool          TEXT    NOT NULL,
    gist          TEXT    NOT NULL,
    gist_more     INTEGER NOT NULL,
    agent         TEXT    NOT NULL,
    session       TEXT    NOT NULL,
    class         TEXT    NOT NULL,
    alike         TEXT    NOT NULL,
    alike_hash    INTEGER NOT NULL,
    standing      TEXT    NOT NULL CHECK (standing = 'executing' OR standing = 'unknown' OR standing = 'committed' OR standing = 'free'),
    mark          TEXT    NOT NULL,
    possible_double INTEGER NOT NULL CHECK (possible_double = 0 OR possible_double = 1),
    is_open       INTEGER NOT NULL CHECK (is_open = 0 OR is_open = 1),
    attempts      INTEGER NOT NULL,
    repeats       INTEGER NOT NULL,
    reference     TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    moved_at      INTEGER NOT NULL,
    reconciled_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX effects_id ON effects (id);
CREATE UNIQUE INDEX effects_key ON effects (key_hash, effect_key, ordinal) WHERE key_hash <> 0;
CREATE INDEX effects_alike ON effects (alike_hash) WHERE standing <> 'free';
CREATE INDEX effects_reference ON effects (reference) WHERE reference <> '';
CREATE INDEX effects_open ON effects (num) WHERE is_open = 1;

CREATE TABLE facts (
    num       INTEGER PRIMARY KEY,
    effect    TEXT    NOT NULL,
    attempt   TEXT    NOT NULL,
    said_at   INTEGER NOT NULL,
    kind      TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    said_by   TEXT    NOT NULL,
    says      TEXT    NOT NULL,
    durable   INTEGER NOT NULL CHECK (durable = 0 OR durable = 1),
    divergent INTEGER NOT NULL CHECK (divergent = 0 OR divergent = 1),
    late      INTEGER NOT NULL CHECK (late = 0 OR late = 1),
    early     INTEGER NOT NULL CHECK (early = 0 OR early = 1),
    proof     INTEGER NOT NULL CHECK (proof = 0 OR proof = 1),
    why       TEXT    NOT NULL,
    exit_status TEXT  NOT NULL,
    observed  TEXT    NOT NULL,
    seen      TEXT    NOT NULL,
    reference TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    page      TEXT    NOT NULL,
    allowed   TEXT    NOT NULL,
    content   TEXT    NOT NULL
) STRICT;
CREATE INDEX facts_effect ON facts (effect);

CREATE TABLE repeats (
    num      INTEGER PRIMARY KEY,
    effect   TEXT    NOT NULL,
    session  TEXT    NOT NULL,
    agent    TEXT    NOT NULL,
    code     TEXT    NOT NULL,
    times    INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX repeats_of ON repeats (effect, session);
CREATE INDEX repeats_effect ON repeats (effect, num);

-- The asks that name an effect key.
CREATE TABLE keyed (
    seq        INTEGER PRIMARY KEY,
    key_hash   INTEGER NOT NULL,
    effect_key TEXT    NOT NULL
) STRICT;
CREATE INDEX keyed_hash ON keyed (key_hash);

ALTER TABLE attempts ADD COLUMN effect TEXT NOT NULL DEFAULT '';
ALTER TABLE attempts ADD COLUMN settle_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN claims INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN watched INTEGER NOT NULL DEFAULT 0;
CREATE INDEX attempts_effect ON attempts (effect) WHERE effect <> '';

INSERT INTO effects (id, effect_key, key_hash, ordinal, links, ask, tool, gist, gist_more, agent, session, class, alike,
    alike_hash, standing, mark, possible_double, is_open, attempts, repeats, reference, created_at, moved_at, reconciled_at)
SELECT t.id, '', 0, 1, '', a.id, a.tool, a.gist, a.gist_more, a.agent, a.session, '', '', 0,
    CASE t.state WHEN 'not_executed' THEN 'free' ELSE t.state END,
    CASE t.state WHEN 'unknown' THEN 'not_confirmed' ELSE '' END, 0, t.state = 'unknown', 1, 0, t.reference,
    t.began_at, MAX(t.began_at, t.ended_at), 0
FROM attempts t JOIN asks a ON a.id = t.ask_id
WHERE t.desk = 1 ORDER BY t.num;
INSERT INTO facts (effect, attempt, said_at, kind, source, said_by, says, durable, divergent, late, early, proof, why, exit_status,
    observed, seen, reference, reason, page, allowed, content)
SELECT id, id, began_at, 'begun', 'gate', executor, '', 1, 0, 0, 0, 0, '', '', '', '', '', '', '', '', ''
FROM attempts WHERE desk = 1 ORDER BY num;
INSERT INTO facts (effect, attempt, said_at, kind, source, said_by, says, durable, divergent, late, early, proof, why, exit_status,
    observed, seen, reference, reason, page, allowed, content)
SELECT id, id, ended_at, CASE WHEN exit_status = '' OR late = 1 THEN 'lease_over' ELSE 'report' END, 'gate', executor,
    CASE state WHEN 'not_executed' THEN state ELSE '' END, 1, 0, 0, 0, state = 'not_executed', '', exit_status, observed, '',
    reference, '', '', '', ''
FROM attempts WHERE desk = 1 AND state <> 'executing' ORDER BY num;
UPDATE attempts SET effect = id WHERE desk = 1;
-- Unknown is the word for an effect: a call that ended and has none only ended.
UPDATE asks SET outcome = '' WHERE outcome = 'unknown' AND exit_status <> ''
    AND id IN (SELECT ask_id FROM attempts WHERE effect = '');
