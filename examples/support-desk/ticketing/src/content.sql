CREATE TABLE tickets (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'pending', 'closed')),
    priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
    organisation_id INTEGER NOT NULL,
    requester TEXT NOT NULL,
    assignee TEXT,
    resolution TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE comments (
    id INTEGER PRIMARY KEY,
    ticket_id INTEGER NOT NULL REFERENCES tickets (id),
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE INDEX comments_of_ticket ON comments (ticket_id);

INSERT INTO tickets (id, title, description, status, priority, organisation_id, requester, assignee, resolution, created_at, updated_at)
VALUES
    (1, 'Invoices arrive twice', 'Every invoice of October was sent two times.', 'open', 'high', 1, 'ana', 'ben', NULL, '2026-11-02T08:15:00Z', '2026-11-03T09:40:00Z'),
    (2, 'Cannot reset the password', 'The link in the mail leads to an empty page.', 'open', 'urgent', 2, 'chloe', 'ana', NULL, '2026-11-04T13:05:00Z', '2026-11-04T13:05:00Z'),
    (3, 'Export to CSV is slow', 'Ten thousand rows take four minutes.', 'pending', 'normal', 1, 'chloe', 'ben', NULL, '2026-10-20T10:00:00Z', '2026-10-28T16:20:00Z'),
    (4, 'Add a second administrator', 'A colleague should manage users during my holiday.', 'closed', 'low', 3, 'ana', 'chloe', 'Added on request of the owner.', '2026-10-01T07:30:00Z', '2026-10-02T11:00:00Z'),
    (5, 'Printer at the front desk is offline', 'It has been dark since the power cut.', 'open', 'normal', 3, 'ben', NULL, NULL, '2026-11-05T15:45:00Z', '2026-11-05T15:45:00Z'),
    (6, 'Wrong time zone in reports', 'Reports of the Lisbon office show Berlin times.', 'open', 'low', 2, 'ben', 'chloe', NULL, '2026-11-01T12:00:00Z', '2026-11-01T12:30:00Z');

INSERT INTO comments (ticket_id, author, text, created_at)
VALUES
    (1, 'ben', 'The job of the first of October ran on two machines.', '2026-11-03T09:40:00Z'),
    (3, 'ben', 'Which columns do you need? A smaller export is quick.', '2026-10-28T16:20:00Z'),
    (6, 'chloe', 'The office has no zone of its own in the settings.', '2026-11-01T12:30:00Z');
