// Lines between the browser and the server that do what lines of offices, phones and sleeping computers do.

import assert from "node:assert/strict";
import { after } from "node:test";
import { close, drawn, ended, say, until } from "./browser.mjs";
import { BROWSERS, LOST, proxied } from "./scene.mjs";
import { gate } from "./server.mjs";

after(close);

const hashOf = (page) => new URL(page.url()).hash;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const times = (text, part) => text.split(part).length - 1;

const WORDS = Array.from({ length: 60 }, (_, number) => `w${number} `);
const CALL = { name: "calculator", arguments: { expression: "6 * 7" } };

/** Adds a turn with a call between two answers, whose words come one by one. */
function answersSlowly(model) {
  const slowly = function* (words, ...end) {
    for (const word of words) {
      yield word;
      yield wait(60);
    }
    yield* end;
  };
  model.answersWith(slowly(WORDS.slice(0, 30), CALL)).answersWith(slowly(WORDS.slice(30)));
}

/** Checks that a tab has the whole turn once, and shows it as one that is loaded now does. */
async function hasAllOnce(person, page) {
  await page.getByText("w59").waitFor();
  await ended(page);
  const text = (await page.getByRole("log").innerText()).replaceAll(/\s+/g, " ");
  for (const half of [WORDS.slice(0, 30), WORDS.slice(30)]) assert.equal(times(text, half.join("").trim()), 1);
  assert.equal(times(text, "Count"), 1);
  assert.equal(await page.locator(".call").count(), 1);
  const loaded = await person.open(hashOf(page));
  await ended(loaded);
  await loaded.locator(".call").waitFor();
  assert.equal(await drawn(page), await drawn(loaded));
}

for (const { browser, prepare } of BROWSERS) {
  for (const { what, line } of [
    { what: "keeps everything for a second, and passes it on in lumps", line: { buffered: 1_000 } },
    { what: "is cut again and again", line: { lifetime: 900 } },
    { what: "passes on lumps and is cut between them", line: { buffered: 400, lifetime: 1_000 } },
  ]) {
    proxied(`nothing is lost or doubled on a line that ${what}: ${browser}`, { prepare, person: { allowed: LOST } }, async ({ model, proxy, person }) => {
      Object.assign(proxy, line);
      answersSlowly(model);
      const first = await person.open();
      await say(first, "Count");
      await first.getByText("w0").waitFor();
      const second = await person.open(hashOf(first));
      for (const page of [first, second]) await hasAllOnce(person, page);
      assert.ok(!line.lifetime || proxy.feeds.length > 3, `${proxy.feeds.length} connections`);
    });
  }

  proxied(`after an hour's sleep, in which everything was cut, the turn is there once: ${browser}`, { prepare, person: { allowed: LOST } }, async ({ model, server, proxy, person }) => {
    const asleep = gate();
    model.answers("The beginning ", asleep.opened, CALL).answers("and the end.");
    const page = await person.open();
    await page.clock.install();
    await say(page, "Go");
    await page.getByText("The beginning").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("a draft");
    proxy.isAway = true;
    proxy.cut();
    asleep.open();
    await hasEnded(server, page);
    await page.clock.fastForward("01:00:00");
    proxy.isAway = false;
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await hasSlept(page);
  });
}

proxied("after an hour's sleep, of which the connection does not know, the turn is there once", { prepare: BROWSERS[1].prepare, person: { allowed: LOST } }, async ({ model, server, proxy, person }) => {
  const asleep = gate();
  model.answers("The beginning ", asleep.opened, CALL).answers("and the end.");
  const page = await person.open();
  await page.clock.install();
  await say(page, "Go");
  await page.getByText("The beginning").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("a draft");
  // The connection that was opened before has its timer from then.
  const { length: before } = proxy.feeds;
  proxy.cut();
  await until(() => proxy.feeds.length > before && proxy.open === 1);
  proxy.isSilent = true;
  asleep.open();
  await hasEnded(server, page);
  assert.equal(proxy.open, 1);
  const { length } = proxy.feeds;
  await page.clock.fastForward("01:00:00");
  proxy.isSilent = false;
  await until(() => proxy.feeds.length > length);
  await hasSlept(page);
});

/** Waits until the turn of a session has ended on the server. */
async function hasEnded(server, page) {
  const address = `${server.url}/api/v1/sessions/${hashOf(page).split("/")[2]}/turns`;
  await until(async () => (await (await fetch(address)).json()).data[0].ended_at);
}

/** Checks that a page has the whole turn once, and what was typed. */
async function hasSlept(page) {
  await page.getByText("and the end.").waitFor();
  await ended(page);
  const text = await page.getByRole("log").innerText();
  for (const part of ["Go", "The beginning", "and the end."]) assert.equal(times(text, part), 1, part);
  assert.equal(await page.locator(".call").count(), 1);
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "a draft");
}
