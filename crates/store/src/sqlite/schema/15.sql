-- From schema 14 to 15: sessions can be pinned and archived.

-- The order of lists: 1 if pinned, 0 if neither, -1 if pinned and archived, -2 if archived.
ALTER TABLE sessions ADD COLUMN shelf INTEGER NOT NULL DEFAULT 0;
DROP INDEX session_recent;
CREATE INDEX session_recent ON sessions (tenant, user, shelf, last_active_at) WHERE ephemeral = 0;
