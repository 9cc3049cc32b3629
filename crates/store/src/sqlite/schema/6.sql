-- What turns cost, beside the tokens they took. What was consumed before cannot be priced any more: it counts as one
-- call of each turn, and each turn had at least one.
ALTER TABLE sessions ADD COLUMN nano_usd INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN unpriced_calls INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET unpriced_calls = turns WHERE fresh + cache_read + cache_write + output + unmetered_calls > 0;

-- What each turn consumed, once it has ended.
ALTER TABLE turns ADD COLUMN fresh INTEGER;
ALTER TABLE turns ADD COLUMN cache_read INTEGER;
ALTER TABLE turns ADD COLUMN cache_write INTEGER;
ALTER TABLE turns ADD COLUMN output INTEGER;
ALTER TABLE turns ADD COLUMN reasoning INTEGER;
ALTER TABLE turns ADD COLUMN unmetered_calls INTEGER;
ALTER TABLE turns ADD COLUMN nano_usd INTEGER;
ALTER TABLE turns ADD COLUMN unpriced_calls INTEGER;

-- What each owner consumed on each day, by who answered: sums of model calls, written with the checkpoint that ends the
-- call. They stay when sessions are removed.
CREATE TABLE usage (
  tenant          TEXT NOT NULL,
  user            TEXT NOT NULL,
  day             INTEGER NOT NULL,     -- since 1970-01-01, in UTC
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
  PRIMARY KEY (tenant, user, day, agent, provider, model)
) WITHOUT ROWID;
