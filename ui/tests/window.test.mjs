// Long sessions: what is held and mounted, what stays where it is, the ways to other turns.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, close, drawn, ended, Person, say } from "./browser.mjs";
import { gate, Model, Server } from "./server.mjs";
import { imported, turnOf } from "./sessions.mjs";

const TURNS = 50_000;
const MOST_MOUNTED = 60;
const MOST_HELD = 400;

/** What is looked at may move by less than this, in pixels. */
const STILL = 2;

/** The model is asked for answers alone, not for summaries. */
const SHORT_REQUESTS = `[[agents]]\nname = "assistant"\n[agents.context]\nmax_messages = 20\nsummarise = false\nprecompact_at = 0\n`;

const NEEDLES = [7, 12_345, 41_200];

let model;
let server;
let session;

before(async () => {
  model = await new Model().start();
  server = await Server.start({ model, configuration: SHORT_REQUESTS });
  session = await imported(server, TURNS, { text });
  // The first search adds all turns to the index.
  await fetch(`${server.url}/api/v1/sessions?q=needle`);
});
after(async () => {
  await close();
  await server?.stop();
  model?.stop();
});

/** Turns of different heights. */
function text(number) {
  const needle = NEEDLES.includes(number) ? " Here is a needle." : "";
  const list = number % 3 === 0 ? "\n\n- one\n- two\n- three" : "";
  return [`Question ${number}.${needle}`, `Answer ${number}. ${"Some words of an answer. ".repeat(number % 40)}${list}`];
}

/** Opens the long session, or another one, and counts the requests for turns of a session. */
function scene(name, { person: options, address = () => `#/s/${session}` } = {}, play) {
  test(name, async () => {
    const person = await Person.at(`${server.url}/`, options);
    const requests = [];
    const page = await person.open(address(), (page) => {
      page.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        if (/\/sessions\/[^/]+\/turns$/.test(pathname)) requests.push(search);
      });
    });
    await play({ person, page, requests });
    assert.ok((await page.locator(".log article").count()) <= MOST_MOUNTED, "too many turns are mounted");
    await person.leave();
  });
}

const question = (page, number) => page.getByRole("log").getByText(`Question ${number}.`);

const where = (page) => page.locator(".position-text").textContent();

/** Waits until nothing in the log has moved for some frames, and no turns are on their way. */
async function settled(page) {
  await page.waitForFunction(async () => {
    const log = document.querySelector(".log");
    const state = () => `${log.scrollTop} ${log.scrollHeight} ${log.querySelectorAll("article").length}`;
    const first = state();
    for (let frame = 0; frame < 20; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    return first === state();
  });
}

/** Starts to watch the turn at the upper edge of the view, in every frame. Returns how far it was moved at most. */
async function watched(page) {
  await page.evaluate(() => {
    const log = document.querySelector(".log");
    const edge = log.getBoundingClientRect().top;
    const article = [...log.querySelectorAll("article")].find((article) => article.getBoundingClientRect().bottom > edge + 20);
    const element = [...article.querySelectorAll("*")].find((element) => element.getBoundingClientRect().top >= edge) ?? article;
    const begin = element.getBoundingClientRect().top;
    window.moved = 0;
    // A message arrives after the frame was drawn.
    const { port1, port2 } = new MessageChannel();
    const drawn = () => requestAnimationFrame(() => port2.postMessage(undefined));
    port1.onmessage = () => {
      window.moved = Math.max(window.moved, element.isConnected ? Math.abs(element.getBoundingClientRect().top - begin) : Infinity);
      drawn();
    };
    drawn();
  });
  return () => page.evaluate(() => window.moved);
}

/** Scrolls as a wheel does, and waits until the page has followed. */
async function scroll(page, distance) {
  await page.evaluate(async (distance) => {
    document.querySelector(".log").scrollTop += distance;
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  }, distance);
}

/** Scrolls back, and waits for the turns above if they have to be loaded first. */
async function scrollBack(page, distance) {
  await scroll(page, -distance);
  await page.waitForFunction(() => {
    const log = document.querySelector(".log");
    return log.scrollTop > 0 || !log.querySelector(".log-content > .remark");
  });
}

async function goTo(page, number) {
  await page.getByRole("spinbutton", { name: "Go to turn" }).fill(String(number));
  await page.keyboard.press("Enter");
  await question(page, number).waitFor();
  await settled(page);
}

/** Returns the turn at the upper edge of the view, and where it begins. */
function firstSeen(page) {
  return page.evaluate(() => {
    const log = document.querySelector(".log");
    const edge = log.getBoundingClientRect().top;
    const article = [...log.querySelectorAll("article")].find((article) => article.getBoundingClientRect().bottom > edge + 1);
    return [article.querySelector(".user").textContent, article.getBoundingClientRect().top];
  });
}

/** Returns what the two newest turns show. */
async function lastTurns(page) {
  return (await drawn(page)).split("<article").slice(-2);
}

/** How many turns are held: those that are mounted, and those for which there is space. */
async function held(page) {
  const [first, last] = await page.evaluate(async () => {
    const numbers = () => [...document.querySelectorAll(".log .user")].map((user) => Number(user.textContent.match(/\d+/)[0]));
    const log = document.querySelector(".log");
    const before = log.scrollTop;
    log.scrollTop = 0;
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    const [first] = numbers();
    log.scrollTop = log.scrollHeight;
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    const last = numbers().at(-1);
    log.scrollTop = before;
    return [first, last];
  });
  return last - first + 1;
}

scene("a session of 100,000 messages opens at its end with one page of turns", {}, async ({ page, requests }) => {
  await question(page, TURNS).waitFor();
  await settled(page);
  assert.deepEqual(requests, [], "the page of turns is that of the snapshot");
  assert.equal(await where(page), "Turn 50,000 of 50,000");
  assert.ok((await page.locator(".log article").count()) < 30);
  assert.equal(await page.getByRole("button", { name: "Jump to the latest" }).count(), 0);
});

scene("turns are loaded at the edges, and what is far away is dropped", {}, async ({ page, requests }) => {
  await question(page, TURNS).waitFor();
  await goTo(page, 25_000);
  for (let step = 0; step < 60; step += 1) {
    await scrollBack(page, 2_000);
    assert.ok((await page.locator(".log article").count()) <= MOST_MOUNTED);
  }
  await settled(page);
  assert.ok(Number((await where(page)).match(/Turn ([\d,]+)/)[1].replace(",", "")) < 24_900, await where(page));
  const spaces = await page.locator(".turns-above, .turns-below").evaluateAll((all) => all.map((space) => space.clientHeight));
  assert.ok(Math.max(...spaces) < MOST_HELD * 500, String(spaces));
  assert.ok(requests.length < 20, `${requests.length} requests`);
  // Nothing more is loaded.
  const stopped = gate();
  await page.route("**/turns?*", (route) => stopped.opened.then(() => route.continue()));
  assert.ok((await held(page)) <= MOST_HELD);
  stopped.open();
});

scene("what is looked at stays where it is while turns above it are loaded", {}, async ({ page, requests }) => {
  await question(page, TURNS).waitFor();
  await goTo(page, 30_000);
  const known = requests.length;
  const pages = gate();
  await page.route("**/turns?*", async (route) => {
    await pages.opened;
    await route.continue();
  });
  const asked = page.waitForRequest(/turns\?before=/);
  while (requests.length === known) await scroll(page, -700);
  await asked;
  await settled(page);
  const moved = await watched(page);
  const answered = page.waitForResponse(/turns\?before=/);
  pages.open();
  await answered;
  await settled(page);
  assert.ok((await moved()) < STILL, `moved by ${await moved()}`);
});

scene("what is looked at stays where it is while something above it grows late", {}, async ({ page }) => {
  await question(page, TURNS).waitFor();
  await goTo(page, 35_039);
  await scroll(page, 150);
  await settled(page);
  const moved = await watched(page);
  for (const height of [300, 40, 600, 0]) {
    await page.evaluate(async (height) => {
      const log = document.querySelector(".log");
      const edge = log.getBoundingClientRect().top;
      // One image in a turn above the view, and one above the view in the turn at its edge.
      const articles = [...log.querySelectorAll("article")];
      const atEdge = articles.findIndex((article) => article.getBoundingClientRect().bottom > edge);
      await new Promise((done) => requestAnimationFrame(done));
      for (const article of articles.slice(Math.max(0, atEdge - 1), atEdge + 1)) {
        article.querySelector(".user").style.paddingBlockEnd = `${height}px`;
      }
      for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    }, height);
  }
  assert.ok((await moved()) < STILL, `moved by ${await moved()}`);
});

scene("a reader of earlier turns is not disturbed by an answer, and sending leads back to the end", {}, async ({ page }) => {
  await question(page, TURNS).waitFor();
  const [middle, end] = [gate(), gate()];
  model.answers("The beginning. ", middle.opened, "More words. ".repeat(300), "The middle. ", end.opened, "The end.").answers("Another one.");
  await say(page, "Question of the reader.");
  await page.getByText("The beginning.").waitFor();
  await scroll(page, -1_500);
  await settled(page);
  const moved = await watched(page);
  middle.open();
  await page.getByRole("log").filter({ hasText: "The middle." }).waitFor();
  await settled(page);
  assert.ok((await moved()) < STILL, `moved by ${await moved()}`);
  end.open();
  await ended(page);
  assert.ok((await moved()) < STILL, `moved by ${await moved()}`);
  await goTo(page, 20_000);
  await say(page, "Another question.");
  await page.getByText("Another one.").waitFor();
  await ended(page);
  const before = await lastTurns(page);
  await page.reload();
  await page.getByText("Another one.").waitFor();
  await settled(page);
  assert.deepEqual(await lastTurns(page), before);
});

scene("in the middle of a session its new turns are not shown, and the button leads to them", {}, async ({ page, person }) => {
  await page.getByRole("log").getByText(/./).first().waitFor();
  await goTo(page, 10_000);
  const middle = gate();
  model.answers("From another ", middle.opened, "tab.");
  const other = await person.open(`#/s/${session}`);
  await say(other, "Elsewhere");
  // Until the page knows of the turn, its status is that of the turn before.
  await page.getByRole("status").filter({ hasText: "Answering…" }).waitFor();
  middle.open();
  await other.getByText("From another tab.").waitFor();
  await page.getByRole("status").filter({ hasText: "Complete" }).waitFor();
  await page.locator(".position-text").filter({ hasText: /of 50,00[1-9]/ }).waitFor();
  assert.equal(await page.getByText("From another tab.").count(), 0);
  await question(page, 10_000).waitFor();
  await page.getByRole("button", { name: "Jump to the latest" }).click();
  await page.getByText("From another tab.").waitFor();
});

scene("the controls lead to a number, to the start and to the end", {}, async ({ page }) => {
  await page.getByRole("form", { name: "Position in the session" }).waitFor();
  await goTo(page, 41_200);
  assert.match(await where(page), /^Turn 41,200 of 50,0/);
  await accessible(page, "in the middle");
  await page.getByRole("button", { name: "Go to the first turn" }).click();
  await question(page, 1).waitFor();
  await settled(page);
  assert.match(await where(page), /^Turn 1 of/);
  await page.getByRole("button", { name: "Go to the last turn" }).click();
  await page.getByRole("button", { name: "Jump to the latest" }).waitFor({ state: "detached" });
});

test("a link leads to its turn and marks it, also within the session", async () => {
  const person = await Person.at(`${server.url}/`, { allowed: /404 \(Not Found\)/ });
  const turn = await turnOf(server, session, 12_000);
  // The position comes above the log with the first turns. Later, they would stay, and it would cover their beginning.
  const loaded = gate();
  const page = await person.open(`#/s/${session}/t/${turn}`, (page) =>
    page.route(/\/turns\?around=/, (route) => loaded.opened.then(() => route.continue())),
  );
  await page.getByRole("button", { name: "Options" }).waitFor();
  loaded.open();
  await question(page, 12_000).waitFor();
  await settled(page);
  const marked = page.locator("article[aria-current]");
  assert.match(await marked.textContent(), /Question 12000\./);
  const [log, article] = await Promise.all([page.getByRole("log").boundingBox(), marked.boundingBox()]);
  assert.ok(article.y - log.y >= 0 && article.y - log.y < 40, `${article.y - log.y}`);
  const other = await turnOf(server, session, 33_000);
  await page.evaluate((hash) => (location.hash = hash), `#/s/${session}/t/${other}`);
  await marked.filter({ hasText: "Question 33000." }).waitFor();
  await page.evaluate((hash) => (location.hash = hash), `#/s/${session}/t/00000000-0000-7000-8000-000000000000`);
  await question(page, 33_000).waitFor();
  await person.leave();
});

scene("the search finds turns that are not held, and leads to them", {}, async ({ page }) => {
  await page.getByRole("form", { name: "Position in the session" }).waitFor();
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.press("Control+Shift+F");
  const search = page.getByRole("search");
  await search.getByRole("searchbox", { name: "Search this session" }).fill("needle");
  await search.getByRole("listitem").nth(2).waitFor();
  assert.deepEqual(await search.locator("mark").allTextContents(), ["needle", "needle", "needle"]);
  await accessible(page, "search");
  await page.keyboard.press("Enter");
  await question(page, 41_200).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await question(page, 12_345).waitFor();
  await page.locator("article[aria-current]").filter({ hasText: "Question 12345." }).waitFor();
  await search.getByRole("searchbox").fill("nothingofthekind");
  await search.getByText("Nothing found").waitFor();
  await page.keyboard.press("Escape");
  await search.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.id), "message");
});

scene("a session that is found in the list opens at the turn with the words", { address: () => "" }, async ({ page }) => {
  await page.getByRole("searchbox", { name: "Search sessions" }).fill("needle");
  await page.getByRole("link").filter({ has: page.locator("mark") }).click();
  await question(page, 41_200).waitFor();
  await page.locator("article[aria-current]").filter({ hasText: "needle" }).waitFor();
});

scene("j and k lead from turn to turn, but not while a message is written", {}, async ({ page }) => {
  await page.getByRole("form", { name: "Position in the session" }).waitFor();
  await goTo(page, 5_000);
  await page.getByRole("log").focus();
  const focused = () => page.evaluate(() => document.activeElement.textContent.match(/Question (\d+)/)?.[1]);
  for (const [key, number] of [["j", "5001"], ["j", "5002"], ["k", "5001"], ["k", "5000"], ["k", "4999"]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((number) => document.activeElement.textContent.includes(`Question ${number}.`), number);
    assert.equal(await focused(), number);
  }
  for (let step = 0; step < 45; step += 1) {
    // A key leads nowhere while the turns before the first held one are on their way.
    await page.waitForFunction(() => document.activeElement.previousElementSibling?.matches("article"));
    await page.keyboard.press("k");
    await page.waitForFunction((number) => document.activeElement.textContent.includes(`Question ${number}.`), 4_998 - step);
  }
  await accessible(page, "a focused turn");
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.type("jk");
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "jk");
});

test("who comes back to a session finds the turn that was looked at", async () => {
  const other = await imported(server, 300, { text });
  const person = await Person.at(`${server.url}/`);
  const page = await person.open(`#/s/${other}`);
  await question(page, 300).waitFor();
  await page.getByRole("form", { name: "Position in the session" }).waitFor();
  await scroll(page, -6_000);
  await settled(page);
  const left = await where(page);
  const [turn, place] = await firstSeen(page);
  await page.evaluate((hash) => (location.hash = hash), `#/s/${session}`);
  await page.getByRole("heading", { name: `A session of ${TURNS}` }).waitFor();
  await page.evaluate((hash) => (location.hash = hash), `#/s/${other}`);
  await page.getByRole("heading", { name: "A session of 300" }).waitFor();
  await page.locator(".position-text").filter({ hasText: left }).waitFor();
  await settled(page);
  const [again, found] = await firstSeen(page);
  assert.equal(again, turn);
  assert.ok(Math.abs(found - place) < STILL, `${found} in place of ${place}`);
  await person.leave();
});

test("another branch takes the place of the old one after a new snapshot", async () => {
  // From turn 60 on there are two branches: the even turns, and the odd ones.
  const after = (number) => (number <= 61 ? Math.min(number - 1, 60) : number - 2);
  const branched = await imported(server, 160, { text, after });
  const person = await Person.at(`${server.url}/`);
  const page = await person.open(`#/s/${branched}`);
  await question(page, 160).waitFor();
  await question(page, 158).waitFor();
  assert.equal(await question(page, 159).count(), 0);
  const head = await turnOf(server, branched, 159);
  const response = await fetch(`${server.url}/api/v1/sessions/${branched}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ head }),
  });
  assert.equal(response.status, 200);
  model.answers("On the other branch.");
  const other = await person.open(`#/s/${branched}`);
  await say(other, "Go on");
  await other.getByText("On the other branch.").waitFor();
  await page.getByText("On the other branch.").waitFor();
  await question(page, 159).waitFor();
  assert.equal(await question(page, 160).count(), 0);
  for (let step = 0; step < 40 && (await question(page, 1).count()) === 0; step += 1) await scrollBack(page, 5_000);
  await question(page, 1).waitFor();
  assert.equal(await question(page, 62).count(), 0);
  await page.evaluate((hash) => (location.hash = hash), `#/s/${branched}/t/${await turnOf(server, branched, 120)}`);
  await question(page, 120).waitFor();
  assert.equal(await question(page, 121).count(), 0);
  await person.leave();
});

for (const colorScheme of ["light", "dark"]) {
  scene(`a long session is usable on a narrow screen: ${colorScheme}`, { person: { colorScheme, viewport: { width: 390, height: 844 } } }, async ({ page }) => {
    await page.getByRole("form", { name: "Position in the session" }).waitFor();
    await goTo(page, 41_200);
    await page.getByRole("button", { name: "Search this session" }).click();
    await page.getByRole("search").getByRole("searchbox").fill("needle");
    await page.getByRole("search").getByRole("listitem").first().waitFor();
    await accessible(page, "search");
    const widest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("main *")].map((element) => element.getBoundingClientRect().right)));
    assert.ok(widest <= 390, `something reaches to ${widest}`);
  });
}
