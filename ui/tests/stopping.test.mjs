// An answer that is asked to stop, and has not ended: every tab says so, also after a reload.

import assert from "node:assert/strict";
import { after } from "node:test";
import { close, Person, say } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { scene } from "./scene.mjs";
import { gate } from "./server.mjs";

after(close);

/** Waits until a tab says that the answer is being stopped. */
async function isStopping(page) {
  await page.getByRole("status").filter({ hasText: "Stopping…" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Stopping…" }).isDisabled());
}

/** Gives a running turn the state that it has until it has ended. */
function cancelling(frame) {
  const [event, line] = frame.split("\ndata: ");
  if (event !== "event: resync") return frame;
  const data = JSON.parse(line);
  for (const turn of data.turns.data) if (!turn.status) turn.state = "cancelling";
  return `${event}\ndata: ${JSON.stringify(data)}`;
}

scene("a stop that takes a while is seen in other tabs, and one that failed can be tried again", {
  person: { allowed: /Failed to load resource/ },
}, async ({ model, person }) => {
  const [never, held] = [gate(), gate()];
  model.answers("Some words ", never.opened);
  const page = await person.open();
  await say(page, "Write a lot");
  await page.getByText("Some words").waitFor();
  const other = await person.open(new URL(page.url()).hash);
  await other.getByText("Some words").waitFor();
  await page.route("**/cancel", async (route) => {
    await held.opened;
    await route.abort();
  }, { times: 1 });
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  for (const tab of [page, other]) await isStopping(tab);
  held.open();
  await page.getByRole("alert").waitFor();
  await other.getByRole("button", { name: "Stop", exact: true }).click();
  for (const tab of [page, other]) await tab.getByRole("status").filter({ hasText: "Stopped" }).waitFor();
  never.open();
});

scene("a stop that takes a while is seen after a reload, and in another browser", {}, async ({ model, server }) => {
  const never = gate();
  model.answers("Some words ", never.opened);
  const proxy = await Proxy.before(server);
  const [person, another] = [await Person.at(`${proxy.url}/`), await Person.at(`${proxy.url}/`)];
  const page = await person.open();
  await say(page, "Write a lot");
  await page.getByText("Some words").waitFor();
  proxy.change = cancelling;
  await page.reload();
  await isStopping(page);
  const other = await another.open(new URL(page.url()).hash);
  await isStopping(other);
  never.open();
  for (const tab of [page, other]) await tab.getByRole("status").filter({ hasText: "Complete" }).waitFor();
  for (const leaving of [person, another]) await leaving.leave();
  proxy.stop();
});
