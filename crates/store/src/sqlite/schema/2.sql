-- Sessions of one turn alone: they are not listed, and removed by their age.
ALTER TABLE sessions ADD COLUMN ephemeral INTEGER NOT NULL DEFAULT 0;
DROP INDEX session_recent;
CREATE INDEX session_recent ON sessions (tenant, user, last_active_at) WHERE ephemeral = 0;
CREATE INDEX ephemeral_age ON sessions (last_active_at) WHERE ephemeral = 1;

-- Whose a turn is, so that a list of one owner's turns does not look at those of others. Entries of one owner end in
-- the turn's key: they are in the order in which the turns were accepted.
ALTER TABLE turns ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN user TEXT NOT NULL DEFAULT '';
UPDATE turns SET tenant = s.tenant, user = s.user FROM sessions s WHERE s.key = turns.session;
CREATE INDEX turn_owner ON turns (tenant, user);

CREATE TABLE api_keys (
  key        INTEGER PRIMARY KEY,
  id         BLOB NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  tenant     TEXT NOT NULL,             -- on whose behalf it speaks
  user       TEXT NOT NULL,
  sha256     BLOB NOT NULL UNIQUE,      -- of the secret
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
);
