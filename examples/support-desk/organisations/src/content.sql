CREATE TABLE organisations (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    plan TEXT NOT NULL
) STRICT;

CREATE TABLE members (
    id INTEGER PRIMARY KEY,
    organisation_id INTEGER NOT NULL REFERENCES organisations (id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    role TEXT NOT NULL
) STRICT;

CREATE TABLE contracts (
    id INTEGER PRIMARY KEY,
    organisation_id INTEGER NOT NULL REFERENCES organisations (id),
    service TEXT NOT NULL,
    response_hours INTEGER NOT NULL,
    begins_on TEXT NOT NULL,
    ends_on TEXT NOT NULL
) STRICT;

INSERT INTO organisations (id, name, city, plan)
VALUES
    (1, 'Alder Printing', 'Berlin', 'standard'),
    (2, 'Beacon Travel', 'Lisbon', 'premium'),
    (3, 'Cedar Clinic', 'Oslo', 'standard'),
    (4, 'Dune Films', 'Madrid', 'trial');

INSERT INTO members (id, organisation_id, name, email, role)
VALUES
    (1, 1, 'Elsa Arndt', 'elsa@alder.example', 'accountant'),
    (2, 1, 'Jonas Beck', 'jonas@alder.example', 'owner'),
    (3, 2, 'Rita Campos', 'rita@beacon.example', 'administrator'),
    (4, 2, 'Tiago Dias', 'tiago@beacon.example', 'agent'),
    (5, 3, 'Ingrid Eide', 'ingrid@cedar.example', 'owner'),
    (6, 3, 'Lars Foss', 'lars@cedar.example', 'receptionist');

INSERT INTO contracts (id, organisation_id, service, response_hours, begins_on, ends_on)
VALUES
    (1, 1, 'support on working days', 24, '2026-01-01', '2026-12-31'),
    (2, 2, 'support at any time', 2, '2026-03-01', '2028-02-29'),
    (3, 2, 'support on working days', 24, '2025-03-01', '2026-02-28'),
    (4, 3, 'support on working days', 24, '2026-06-01', '2027-05-31');
