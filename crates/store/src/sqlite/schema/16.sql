-- From schema 15 to 16: accepted definitions of tools are kept.

-- Which definition of each tool of a source was accepted: the first one that was seen, until a person accepts another one.
CREATE TABLE tool_pins (
  reach       INTEGER NOT NULL,                -- for whom: 0 everyone, 1 a tenant, 2 a user
  tenant      TEXT NOT NULL,                   -- empty: all
  user        TEXT NOT NULL,                   -- empty: all
  source      TEXT NOT NULL,
  tool        TEXT NOT NULL,
  fingerprint BLOB NOT NULL,                   -- SHA-256 of the definition
  accepted_at INTEGER NOT NULL,
  changed     BLOB,                            -- the same of the last different definition that was seen since
  changed_at  INTEGER,
  PRIMARY KEY (reach, tenant, user, source, tool)
) WITHOUT ROWID;
