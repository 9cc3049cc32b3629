-- Rows in the order in which they were written, and where each belongs in an index: all that a commit writes, of however
-- many turns, shares the last pages, and an entry of the index is small. Kept in the index's order, the rows of each turn
-- that runs lay on pages of their own.
ALTER TABLE messages RENAME TO messages_4;
CREATE TABLE messages (                 -- the only place where text lives
  turn INTEGER NOT NULL,
  ord  INTEGER NOT NULL,                -- in its turn, from 0
  body TEXT NOT NULL
);
INSERT INTO messages SELECT turn, ord, body FROM messages_4 ORDER BY turn, ord;
DROP TABLE messages_4;
CREATE UNIQUE INDEX message_place ON messages (turn, ord);

ALTER TABLE events RENAME TO events_4;
CREATE TABLE events (                   -- one row per checkpoint
  turn     INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq   INTEGER NOT NULL,
  fence    INTEGER NOT NULL,
  body     TEXT NOT NULL
);
INSERT INTO events SELECT turn, from_seq, to_seq, fence, body FROM events_4 ORDER BY turn, from_seq;
DROP TABLE events_4;
CREATE UNIQUE INDEX event_place ON events (turn, from_seq);
