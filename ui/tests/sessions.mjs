// Makes long sessions, which no test could run turn by turn.

import assert from "node:assert/strict";

/** Any moment, to which the times of the turns are added. */
const BEGIN = Date.UTC(2026, 0, 1);

/** Returns an id with this number. */
function idOf(number) {
  return `019f0000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

/**
 * Imports a session, and returns its id and the ids of its turns. `text` returns the message and the answer of the turn
 * with a number; `after` the number of the turn that it continues. The last turn is the head, unless `head` names one.
 */
export async function imported(server, turns, { text, after = (number) => number - 1, head = turns }) {
  const lines = [{ type: "session", version: 1, id: idOf(0), agent: "assistant", title: `A session of ${turns}`, metadata: {}, head: idOf(head), created_at: new Date(BEGIN).toISOString() }];
  for (let number = 1; number <= turns; number += 1) {
    const turn = idOf(number);
    const previous = after(number);
    const at = new Date(BEGIN + number * 60_000).toISOString();
    const [message, answer] = text(number);
    lines.push({ type: "turn", id: turn, after: previous > 0 ? idOf(previous) : null, agent: "assistant", state: "completed", accepted_at: at, ended_at: at });
    lines.push({ type: "message", turn, role: "user", parts: [{ type: "text", text: message }] });
    lines.push({ type: "message", turn, role: "assistant", parts: [{ type: "text", text: answer }] });
  }
  lines.push({ type: "end", lines: lines.length });
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const response = await fetch(`${server.url}/api/v1/sessions/import`, { method: "POST", body });
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()).id;
}

/** Returns the id of the turn of a session with this number. */
export async function turnOf(server, session, number) {
  const response = await fetch(`${server.url}/api/v1/sessions/${session}/turns?around=${number}&limit=1`);
  return (await response.json()).data[0].turn_id;
}
