// Turns whose logs have gone: the server keeps a log for a day, and draws an older turn from its messages.

import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { drawn } from "./browser.mjs";

/** What the page says of a turn as long as its log is kept: how long it took until the first output. */
const FORGOTTEN = / first output after [^·<]+·/g;

/** Returns what the log shows, but for what only logs have. */
export async function drawnWithoutLog(page) {
  return (await drawn(page)).replaceAll(FORGOTTEN, "");
}

/**
 * Returns what the server says of an ended turn when its log has gone: what its messages have, and what is kept of its
 * steps, calls and notices. Numbers of events and the times of steps are of the log alone, and so are interactions.
 */
export function withoutLog({ waits: _, waiting_since: __, ...view }) {
  const numberless = (item) => ({ ...item, since: 0 });
  const calls = view.parts.filter(({ type }) => type === "tool_call");
  const written = ({ call_id }) => {
    const [step, ordinal] = call_id.split(".").slice(-2);
    return calls.filter(({ part_id }) => part_id.startsWith(`${step}.`))[ordinal]?.text;
  };
  return {
    ...view,
    seq: 0,
    // The message is in the turn that took it.
    input: view.steered_into ? [] : view.input,
    steps: view.steps.map(({ began_at: _, first_ms: __, ms: ___, ...step }) => numberless(step)),
    parts: view.parts.map(numberless),
    tools: view.tools.map((tool) => numberless({ ...tool, arguments: written(tool) ?? tool.arguments })),
    remarks: view.remarks.map(numberless),
    ...(view.steered && { steered: view.steered.map(({ steering_turn_id: _, ...steered }) => numberless(steered)) }),
  };
}

const DAY = 24 * 60 * 60 * 1_000;

/** Moves the ends of all turns of a server that does not run. Node.js 20 has no SQLite, and Python has. */
const MOVE = `import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("UPDATE turns SET ended_at = ended_at + ?", (int(sys.argv[2]),))
connection.commit()
connection.close()
`;

/** Whether logs cannot be deleted here, and why. Where all programs must be installed, the test fails instead. */
export const cannotDeleteLogs =
  process.env.TURNKIT_CLIENTS !== "require" &&
  spawnSync("python3", ["-c", "import sqlite3"]).status !== 0 &&
  "there is no python3 with SQLite";

async function moveEnds(server, milliseconds) {
  await promisify(execFile)("python3", ["-c", MOVE, `${server.folder}/data/turnkit.db`, milliseconds]);
}

/** Lets the server delete the logs of all its turns as if they had ended days ago. It is restarted twice. */
export async function deleteLogs(server, areGone) {
  await server.kill();
  await moveEnds(server, -2 * DAY);
  await server.run();
  await areGone();
  await server.kill();
  await moveEnds(server, 2 * DAY);
  await server.run();
}
