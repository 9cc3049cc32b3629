-- A session that is deleted is nobody's at once, and its rows go little by little. Its own row goes last: until then no
-- other session gets its key.
ALTER TABLE sessions ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_removed ON sessions (key) WHERE removed = 1;
