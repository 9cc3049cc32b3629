-- Rows with keys: whoever has added to one before finds it again without comparing words.
ALTER TABLE usage RENAME TO usage_6;
CREATE TABLE usage (
  key             INTEGER PRIMARY KEY,
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
  UNIQUE (tenant, user, day, agent, provider, model)
);
INSERT INTO usage SELECT NULL, * FROM usage_6;
DROP TABLE usage_6;
