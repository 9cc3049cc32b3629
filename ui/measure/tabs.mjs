// Ten tabs of one browser, each with a session of its own that is answered meanwhile.

import { gate } from "../tests/server.mjs";
import { Proxy } from "../tests/proxy.mjs";
import { forgetSharedWorkers } from "./burn.mjs";
import { percentile } from "./numbers.mjs";
import { serve, stopLater, visit } from "./stage.mjs";

export const PATIENCE_S = 180;

const TABS = 10;

/** A tab that has not shown its answer by then counts with this time, in milliseconds. */
const LATEST = 8_000;

/** How often a running answer grows, in milliseconds. */
const PACE = 100;

/** How long after the last tab the connections are counted, in milliseconds. */
const SETTLED = 2_000;

/** In the control, each tab has a connection of its own, and HTTP/1.1 allows six. */
export async function measure({ control }) {
  const { model, server } = await serve();
  const proxy = await Proxy.before(server);
  stopLater(() => proxy.stop());
  const end = gate();
  const sessions = [];
  for (let number = 1; number <= TABS; number += 1) {
    model.answersWith(growing(end));
    sessions.push(await start(server, `Question ${number}`));
  }
  const person = await visit(proxy.url, { spoil: control && forgetSharedWorkers });
  const times = [];
  for (const session of sessions) times.push(await timeOf(person, session));
  // A connection that was replaced stays open for another second.
  await new Promise((resolve) => setTimeout(resolve, SETTLED));
  const connections = proxy.open;
  end.open();
  await person.leave().catch((error) => {
    if (!control) throw error;
  });
  const last = times.slice(-3);
  const note = `the last ${last.length} of ${TABS}, median of all ${Math.round(percentile(times, 0.5))}`;
  return [
    { what: "10 tabs, 10 running sessions: last loads", figure: Math.max(...last), unit: "ms", most: 2_000, note },
    { what: "… feed connections", figure: connections, unit: "", most: 1 },
  ];
}

/** An answer that grows until the gate opens. */
function* growing({ opened }) {
  let isOpen = false;
  void opened.then(() => {
    isOpen = true;
  });
  yield "The beginning. ";
  while (!isOpen) {
    yield new Promise((resolve) => setTimeout(resolve, PACE));
    yield "More words. ";
  }
}

/** Starts a turn in a new session, and returns the session's id. */
async function start(server, message) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ message });
  const response = await fetch(`${server.url}/api/v1/turns`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`the turn was answered with ${response.status}`);
  return (await response.json()).session_id;
}

/** Opens a tab, and returns how long it took to show the running answer, in milliseconds. */
async function timeOf(person, session) {
  const begin = performance.now();
  const shown = async () => {
    const tab = await person.open(`#/s/${session}`);
    await tab.getByRole("log").getByText("The beginning.").first().waitFor({ timeout: LATEST });
  };
  const inTime = shown().then(() => true, (error) => {
    // A tab that is not shown in time may be closed while it loads.
    if (performance.now() - begin < LATEST) throw error;
    return false;
  });
  const late = new Promise((resolve) => setTimeout(resolve, LATEST, false));
  const isShown = await Promise.race([inTime, late]);
  return isShown ? performance.now() - begin : LATEST;
}
