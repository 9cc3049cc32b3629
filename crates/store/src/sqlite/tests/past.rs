//! A database with a long history.

use std::time::Duration;

use super::*;

/// Returns SQL for the user's history, later than anything else in a test: a session called "mine" with `turns` turns,
/// and as many sessions of one turn, each with its messages, log, receipts and key.
pub(super) fn past(turns: u32) -> String {
    let at = AT.plus(Duration::from_secs(3600)).millis();
    format!(
        "CREATE TEMP TABLE past (turn, session, number);
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {turns})
         INSERT INTO past SELECT i, 1, i FROM n UNION ALL SELECT {turns} + i, 1 + i, 1 FROM n;
         INSERT INTO sessions (key, id, tenant, user, name, agent, title, metadata, fresh, cache_read, cache_write,
             output, reasoning, unmetered_calls, turns, head, created_at, last_active_at)
         SELECT session, CAST(printf('session%09d', session) AS BLOB), 'local', 'local', iif(session = 1, 'mine', NULL),
             'assistant', 'past', '{{}}', 0, 0, 0, 0, 0, 0, max(number), max(number), {at}, {at}
         FROM past GROUP BY session;
         INSERT INTO turns (key, id, session, number, after, first_message, messages, agent, state, fence, attempts,
             interact, resume, accepted_at, started_at, ended_at, tenant, user)
         SELECT turn, CAST(printf('turn%012d', turn) AS BLOB), session, number, nullif(number - 1, 0), 2 * (number - 1), 2,
             'assistant', iif(turn % 2, 'completed', 'failed'), 1, 0, 0, 0, {at}, {at}, {at}, 'local', 'local' FROM past;
         INSERT INTO messages SELECT turn, ord, '{{\"role\":\"user\",\"parts\":[]}}'
         FROM past, (SELECT 0 AS ord UNION ALL SELECT 1);
         INSERT INTO events SELECT turn, 1, 1, 1, '[]' FROM past;
         INSERT INTO tool_calls SELECT turn, 1, 0, 'pay', 'done' FROM past;
         INSERT INTO waits SELECT turn, 1, 0, 0, 'local', 'local', 'approval', '{{}}', zeroblob(32), {at}, {at},
             '{{\"approved\":{{}}}}', {at} FROM past;
         INSERT INTO grants (id, tenant, user, session, tool, schema, subject, untrusted, created_at)
         SELECT CAST(printf('grant%011d', turn) AS BLOB), 'local', 'local', x'', 'pay', zeroblob(32), '{{\"path\":\"' || turn || '\"}}', 0,
             {at} FROM past;
         INSERT INTO idem_keys
         SELECT 'local', 'local', 'past' || turn, zeroblob(32), CAST(printf('turn%012d', turn) AS BLOB),
             CAST(printf('session%09d', session) AS BLOB), {at} FROM past;"
    )
}
