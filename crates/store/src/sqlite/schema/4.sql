-- A turn occupies its session from when it began until it ended. Asked for as a list of states, SQLite would put that list
-- into a table of its own in every statement that writes or finds a turn.
DROP INDEX one_turn;
CREATE UNIQUE INDEX one_turn ON turns (session) WHERE started_at IS NOT NULL AND ended_at IS NULL;
