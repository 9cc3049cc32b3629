// A session of 100,000 messages.

import { imported } from "../tests/sessions.mjs";
import { hoard } from "./burn.mjs";
import { summary } from "./numbers.mjs";
import { serve, visit } from "./stage.mjs";

export const PATIENCE_S = 600;

const TURNS = 50_000;
const MIDDLE = TURNS / 2;

/** The control is slow, and needs fewer runs to be seen. */
const RUNS = 5;
const RUNS_OF_CONTROL = 3;

/** How long the page of the control may take, in milliseconds. */
const PATIENT = 30_000;

/** The title that the imported session has. */
const TITLE = `A session of ${TURNS}`;

const MEGABYTE = 1_000_000;

export async function measure({ control }) {
  const { server } = await serve();
  const session = await imported(server, TURNS, { text });
  const runs = [];
  for (let run = 0; run < (control ? RUNS_OF_CONTROL : RUNS); run += 1) {
    const person = await visit(server.url, { prepare: noteTurns, spoil: control && hoard });
    runs.push(await look(person, session));
    await person.leave();
  }
  const of = (name) => summary(runs.map((run) => run[name]));
  return [
    { what: `${(2 * TURNS).toLocaleString("en")} messages: open`, unit: "ms", most: 400, ...of("open") },
    { what: "… open together with the page", unit: "ms", ...of("cold") },
    { what: "… jump to the middle", unit: "ms", most: 300, ...of("jump") },
    { what: "… heap after collecting garbage", unit: "MB", most: 60, ...of("heap") },
  ];
}

/** Turns of different heights. */
function text(number) {
  const list = number % 3 === 0 ? "\n\n- one\n- two\n- three" : "";
  return [`Question ${number}.`, `Answer ${number}. ${"Some words of an answer. ".repeat(number % 40)}${list}`];
}

/** Opens the session from the list, jumps to its middle, and then opens its address in a new tab. */
async function look(person, session) {
  const page = await person.open();
  await page.getByRole("navigation").getByRole("link", { name: TITLE }).click({ timeout: PATIENT });
  const open = (await shown(page, TURNS)) - (await asked(page));
  await page.getByRole("spinbutton", { name: "Go to turn" }).fill(String(MIDDLE));
  await page.keyboard.press("Enter");
  const jump = (await shown(page, MIDDLE)) - (await asked(page));
  const heap = await heapOf(page);
  await page.close();
  const tab = await person.open(`#/s/${session}`);
  return { open, jump, heap, cold: await shown(tab, TURNS) };
}

/** Returns what scripts hold after the garbage was collected, in megabytes. */
async function heapOf(page) {
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  return usedSize / MEGABYTE;
}

/**
 * Notes when the last click or key was made, as `window.asked`, and when each turn was first painted, as
 * `window.turns`, in milliseconds since the navigation. It runs before the page does.
 */
function noteTurns() {
  for (const type of ["click", "keydown"]) {
    const note = ({ timeStamp }) => {
      window.asked = timeStamp;
    };
    addEventListener(type, note, { capture: true });
  }
  window.turns = {};
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    for (const number of data) window.turns[number] ??= performance.now();
  };
  const observer = new MutationObserver(() => {
    const questions = [...document.querySelectorAll(".log article .user")];
    const numbers = questions.map(({ textContent }) => textContent.match(/Question (\d+)/)?.[1]);
    const added = numbers.filter((number) => number && !(number in window.turns));
    // A message arrives after the frame was drawn.
    if (added.length > 0) requestAnimationFrame(() => port2.postMessage(added));
  });
  observer.observe(document, { childList: true, subtree: true });
}

const asked = (page) => page.evaluate(() => window.asked);

/** Waits until a turn was painted, and returns when. */
async function shown(page, number) {
  const noted = await page.waitForFunction((number) => window.turns[number], number, { timeout: PATIENT });
  return noted.jsonValue();
}
