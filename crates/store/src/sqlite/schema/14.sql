-- The tables of schema 14, the oldest this version reads. Later files change them. A commit costs pages, not rows: keys
-- grow, so that new rows share pages, and each index must be worth the pages it takes.
-- Integer keys are for this file only; callers know the ids.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
  key             INTEGER PRIMARY KEY,
  id              BLOB NOT NULL UNIQUE,
  tenant          TEXT NOT NULL,
  user            TEXT NOT NULL,
  name            TEXT,                        -- the client's
  agent           TEXT NOT NULL,
  title           TEXT NOT NULL,
  metadata        TEXT NOT NULL,               -- JSON object
  fresh           INTEGER NOT NULL,            -- sums of its turns' usage
  cache_read      INTEGER NOT NULL,
  cache_write     INTEGER NOT NULL,
  output          INTEGER NOT NULL,
  reasoning       INTEGER NOT NULL,
  unmetered_calls INTEGER NOT NULL,
  turns           INTEGER NOT NULL,            -- the number of the last turn accepted
  head            INTEGER,                     -- the number of the turn that the next one continues
  created_at      INTEGER NOT NULL,
  last_active_at  INTEGER NOT NULL,
  ephemeral       INTEGER NOT NULL DEFAULT 0,  -- 1: of one turn alone: not listed, and removed by its age; 2: of a
                                               -- sub-agent: not listed, and removed with its parent
  parent          INTEGER,                     -- of a sub-agent: the session whose turn began it
  removed         INTEGER NOT NULL DEFAULT 0,  -- nobody's: its rows go little by little, this one last
  nano_usd        INTEGER NOT NULL DEFAULT 0,
  unpriced_calls  INTEGER NOT NULL DEFAULT 0,
  prompt          TEXT,                        -- the name of the prompt that follows the agent's own
  params          TEXT,                        -- JSON object; none: as the agent has them
  tools           TEXT,                        -- auto, none; no value: auto
  mode            TEXT                         -- the name of the mode of its turns
);
CREATE UNIQUE INDEX session_name ON sessions (tenant, user, name) WHERE name IS NOT NULL;
CREATE INDEX session_recent ON sessions (tenant, user, last_active_at) WHERE ephemeral = 0;
CREATE INDEX ephemeral_age ON sessions (last_active_at) WHERE ephemeral = 1;
CREATE INDEX child_sessions ON sessions (parent) WHERE parent IS NOT NULL;
CREATE INDEX session_removed ON sessions (key) WHERE removed = 1;

CREATE TABLE turns (
  key             INTEGER PRIMARY KEY,
  id              BLOB NOT NULL UNIQUE,
  session         INTEGER NOT NULL,
  number          INTEGER NOT NULL,            -- in its session, from 1
  after           INTEGER,                     -- the number of the turn whose history it continues; until it begins, of the
                                               -- one it asked for, 0 if for none
  first_message   INTEGER NOT NULL,            -- how many messages that history has
  messages        INTEGER NOT NULL,            -- how many its own are
  cut             INTEGER,                     -- place of the first message after those that the newest summary covers
  kept            INTEGER,                     -- place of an earlier message that is sent nevertheless
  agent           TEXT NOT NULL,
  state           TEXT NOT NULL,               -- queued, running, waiting, cancelling, or how it ended
  stop            TEXT,                        -- why it was asked to stop
  fence           INTEGER NOT NULL,
  owner           TEXT,                        -- the worker that runs it
  attempts        INTEGER NOT NULL,            -- claims since its last checkpoint
  deaths          INTEGER NOT NULL DEFAULT 0,  -- processes that died while they ran it, since its last checkpoint
  blame           INTEGER NOT NULL DEFAULT 0,  -- its share of these deaths, in thousandths of a death
  suspended       INTEGER NOT NULL DEFAULT 0,  -- not claimed yet by a process that began after several of these deaths
  interact        INTEGER NOT NULL,            -- what its client can do
  resume          INTEGER NOT NULL,
  kind            TEXT,                        -- compact, title; none: to answer a message
  chore           INTEGER NOT NULL DEFAULT 0,  -- made by the service itself: a message to its session stops it
  steering        INTEGER NOT NULL DEFAULT 0,  -- in the queue: its message is for the turn that runs
  steered         INTEGER NOT NULL DEFAULT 0,  -- such a turn was queued behind it
  steered_into    INTEGER,                     -- the number of the turn that took its message; it never began
  input           TEXT,                        -- until it begins; then it is its first message
  machine         TEXT,                        -- until it ends
  accepted_at     INTEGER NOT NULL,
  started_at      INTEGER,
  ended_at        INTEGER,
  tenant          TEXT NOT NULL DEFAULT '',    -- whose it is, so that a list of one owner's looks at no others
  user            TEXT NOT NULL DEFAULT '',
  fresh           INTEGER,                     -- what it consumed, once it has ended
  cache_read      INTEGER,
  cache_write     INTEGER,
  output          INTEGER,
  reasoning       INTEGER,
  unmetered_calls INTEGER,
  nano_usd        INTEGER,
  unpriced_calls  INTEGER,
  trace           BLOB,                        -- the id of its caller's trace; none: that of the turn
  parent          INTEGER,                     -- of a sub-agent: the turn that waits for it, and the wait that its end decides
  parent_step     INTEGER,
  parent_ordinal  INTEGER,
  parent_number   INTEGER,
  anchor          TEXT,                        -- JSON object: the size of the last request of its branch that a provider counted
  outline         TEXT                         -- JSON object: what remains of its log once its events are deleted
);
CREATE UNIQUE INDEX turn_number ON turns (session, number);
-- It occupies its session from when it began until it ended. Asked for as a list of states, SQLite would put that list into
-- a table of its own in every statement that writes or finds a turn.
CREATE UNIQUE INDEX one_turn ON turns (session) WHERE started_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX child_turns ON turns (parent) WHERE parent IS NOT NULL;
CREATE INDEX queue ON turns (session, number) WHERE state = 'queued';
-- Entries of one owner end in the turn's key: they are in the order in which the turns were stored.
CREATE INDEX turn_owner ON turns (tenant, user);

CREATE TABLE messages (                        -- the only place where text lives
  turn INTEGER NOT NULL,
  ord  INTEGER NOT NULL,                       -- in its turn, from 0
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX message_place ON messages (turn, ord);

CREATE TABLE events (                          -- one row per checkpoint
  turn     INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq   INTEGER NOT NULL,
  fence    INTEGER NOT NULL,
  body     TEXT NOT NULL
);
CREATE UNIQUE INDEX event_place ON events (turn, from_seq);

CREATE TABLE tool_calls (                      -- receipts of calls that change something
  turn    INTEGER NOT NULL,
  step    INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  name    TEXT NOT NULL,
  state   TEXT NOT NULL,
  PRIMARY KEY (turn, step, ordinal)
) WITHOUT ROWID;

-- What turns wait or waited for. A row that nobody has decided belongs to a turn that is neither over nor to stop.
CREATE TABLE waits (
  turn       INTEGER NOT NULL,
  step       INTEGER NOT NULL,
  ordinal    INTEGER NOT NULL,
  number     INTEGER NOT NULL,                 -- how often the call waited before
  tenant     TEXT NOT NULL,                    -- whose the turn is
  user       TEXT NOT NULL,
  kind       TEXT NOT NULL,
  question   TEXT NOT NULL,                    -- JSON
  binding    BLOB NOT NULL,                    -- SHA-256 of what is decided
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  resolution TEXT,                             -- JSON
  decided_at INTEGER,
  PRIMARY KEY (turn, step, ordinal, number)
) WITHOUT ROWID;
-- Entries of one owner end in the primary key: they are in the order in which the turns were stored.
CREATE INDEX wait_owner ON waits (tenant, user);
CREATE INDEX wait_pending ON waits (tenant, user) WHERE decided_at IS NULL;
CREATE INDEX wait_expiry ON waits (expires_at) WHERE decided_at IS NULL;

-- What people allowed later calls by approving one.
CREATE TABLE grants (
  key        INTEGER PRIMARY KEY,
  id         BLOB NOT NULL UNIQUE,
  tenant     TEXT NOT NULL,
  user       TEXT NOT NULL,
  session    BLOB NOT NULL,                    -- the id: keys are given out again after a deletion; empty: all of the user's
  tool       TEXT NOT NULL,
  schema     BLOB NOT NULL,                    -- SHA-256 of the JSON Schema that the tool had
  subject    TEXT NOT NULL,                    -- JSON: what calls touch; empty: anything
  untrusted  INTEGER NOT NULL,                 -- counts after untrusted text too
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX grant_reach ON grants (tenant, user, tool, session, subject, schema);
CREATE INDEX grant_owner ON grants (tenant, user);
CREATE INDEX grant_session ON grants (session);

-- Saved text of incomplete answers; deleted with the checkpoint that follows the answer.
CREATE TABLE partials (
  turn    INTEGER NOT NULL,
  step    INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  ord     INTEGER NOT NULL,                    -- among the saves of the attempt, from 0
  body    TEXT NOT NULL,                       -- JSON
  PRIMARY KEY (turn, step, attempt, ord)
) WITHOUT ROWID;

-- What each owner consumed on each day, by who answered: sums of model calls, written with the checkpoint that ends the
-- call. They stay when sessions are removed.
CREATE TABLE usage (
  key             INTEGER PRIMARY KEY,
  tenant          TEXT NOT NULL,
  user            TEXT NOT NULL,
  day             INTEGER NOT NULL,            -- since 1970-01-01, in UTC
  agent           TEXT NOT NULL,
  provider        TEXT NOT NULL,
  model           TEXT NOT NULL,
  calls           INTEGER NOT NULL,
  fresh           INTEGER NOT NULL,
  cache_read      INTEGER NOT NULL,
  cache_write     INTEGER NOT NULL,
  output          INTEGER NOT NULL,
  reasoning       INTEGER NOT NULL,
  unmetered_calls INTEGER NOT NULL,
  nano_usd        INTEGER NOT NULL,
  unpriced_calls  INTEGER NOT NULL,
  UNIQUE (tenant, user, day, agent, provider, model)
);

CREATE TABLE idem_keys (
  tenant      TEXT NOT NULL,
  user        TEXT NOT NULL,
  key         TEXT NOT NULL,
  body_sha256 BLOB NOT NULL,
  turn        BLOB NOT NULL,                   -- the id: keys are given out again after a deletion
  session     BLOB NOT NULL,                   -- the id: the row may be gone before the key is forgotten
  used_at     INTEGER NOT NULL,
  PRIMARY KEY (tenant, user, key)
) WITHOUT ROWID;
CREATE INDEX key_age ON idem_keys (used_at);

CREATE TABLE api_keys (
  key        INTEGER PRIMARY KEY,
  id         BLOB NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  tenant     TEXT NOT NULL,                    -- on whose behalf it speaks
  user       TEXT NOT NULL,
  sha256     BLOB NOT NULL UNIQUE,             -- of the secret
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  access     TEXT NOT NULL DEFAULT 'chat read decide' -- names of scopes, separated by spaces
);

CREATE TABLE blobs (                           -- uploaded files and whole results of calls; their content is NAME.blobs/<2>/<id> beside NAME.db
  key        INTEGER PRIMARY KEY,
  id         BLOB NOT NULL UNIQUE,
  tenant     TEXT NOT NULL,
  user       TEXT NOT NULL,
  name       TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TABLE turn_blobs (                      -- which turns name a file
  turn INTEGER NOT NULL,
  blob INTEGER NOT NULL,
  PRIMARY KEY (turn, blob)
) WITHOUT ROWID;
CREATE INDEX blob_turns ON turn_blobs (blob);

-- The words of turns that have ended; the row id is the turn's key. A search adds them, and so does the hourly cleanup if
-- they are many; no turn waits for it. `searched` in meta is the highest key that is in this table or in the next. Words are
-- separated before they are stored, so the tokenizer takes every character that may be in one.
CREATE VIRTUAL TABLE words USING fts5 (
  owner, text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0 categories ''L* M* N* So Co'''
);

CREATE TABLE unsearched (                      -- turns to add later, because they had not ended
  turn INTEGER PRIMARY KEY
);
