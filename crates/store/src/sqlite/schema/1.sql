-- Integer keys are for this file only; callers know the ids. Keys grow, so that new rows share pages: a commit costs
-- pages, not rows.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
  key             INTEGER PRIMARY KEY,
  id              BLOB NOT NULL UNIQUE,
  tenant          TEXT NOT NULL,
  user            TEXT NOT NULL,
  name            TEXT,                 -- the client's
  agent           TEXT NOT NULL,
  title           TEXT NOT NULL,
  metadata        TEXT NOT NULL,        -- JSON object
  fresh           INTEGER NOT NULL,     -- sums of its turns' usage
  cache_read      INTEGER NOT NULL,
  cache_write     INTEGER NOT NULL,
  output          INTEGER NOT NULL,
  reasoning       INTEGER NOT NULL,
  unmetered_calls INTEGER NOT NULL,
  turns           INTEGER NOT NULL,     -- the number of the last turn accepted
  head            INTEGER,              -- the number of the turn that the next one continues
  created_at      INTEGER NOT NULL,
  last_active_at  INTEGER NOT NULL
);
CREATE UNIQUE INDEX session_name ON sessions (tenant, user, name) WHERE name IS NOT NULL;
CREATE INDEX session_recent ON sessions (tenant, user, last_active_at);

CREATE TABLE turns (
  key           INTEGER PRIMARY KEY,
  id            BLOB NOT NULL UNIQUE,
  session       INTEGER NOT NULL,
  number        INTEGER NOT NULL,       -- in its session, from 1
  after         INTEGER,                -- the number of the turn whose history it continues
  first_message INTEGER NOT NULL,       -- how many messages that history has
  messages      INTEGER NOT NULL,       -- how many its own are
  agent         TEXT NOT NULL,
  state         TEXT NOT NULL,          -- queued, running, waiting, cancelling, or how it ended
  stop          TEXT,                   -- why it was asked to stop
  fence         INTEGER NOT NULL,
  owner         TEXT,                   -- the worker that runs it
  attempts      INTEGER NOT NULL,       -- claims since its last checkpoint
  interact      INTEGER NOT NULL,       -- what its client can do
  resume        INTEGER NOT NULL,
  input         TEXT,                   -- until it begins; then it is its first message
  machine       TEXT,                   -- until it ends
  accepted_at   INTEGER NOT NULL,
  started_at    INTEGER,
  ended_at      INTEGER
);
CREATE UNIQUE INDEX turn_number ON turns (session, number);
CREATE UNIQUE INDEX one_turn ON turns (session) WHERE state IN ('running', 'waiting', 'cancelling');
CREATE INDEX queue ON turns (session, number) WHERE state = 'queued';

CREATE TABLE messages (                 -- the only place where text lives
  turn INTEGER NOT NULL,
  ord  INTEGER NOT NULL,                -- in its turn, from 0
  body TEXT NOT NULL,
  PRIMARY KEY (turn, ord)
) WITHOUT ROWID;

CREATE TABLE tool_calls (               -- receipts of calls that change something
  turn    INTEGER NOT NULL,
  step    INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  name    TEXT NOT NULL,
  state   TEXT NOT NULL,
  PRIMARY KEY (turn, step, ordinal)
) WITHOUT ROWID;

CREATE TABLE events (                   -- one row per checkpoint
  turn     INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq   INTEGER NOT NULL,
  fence    INTEGER NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (turn, from_seq)
) WITHOUT ROWID;

CREATE TABLE idem_keys (
  tenant      TEXT NOT NULL,
  user        TEXT NOT NULL,
  key         TEXT NOT NULL,
  body_sha256 BLOB NOT NULL,
  turn        BLOB NOT NULL,            -- the id: keys are given out again after a deletion
  used_at     INTEGER NOT NULL,
  PRIMARY KEY (tenant, user, key)
) WITHOUT ROWID;
CREATE INDEX key_age ON idem_keys (used_at);
