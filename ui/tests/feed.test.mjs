// The one connection over which all tabs of a browser follow their sessions.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, drawn, ended, hide, say, until } from "./browser.mjs";
import { BROWSERS, LOST, proxied as scene } from "./scene.mjs";
import { gate } from "./server.mjs";

after(close);

/** Starts a turn in a new session, and returns the session's id. */
async function start(server, message) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.url}/api/v1/turns`, { method: "POST", headers, body: JSON.stringify({ message }) });
  assert.equal(response.status, 202);
  return (await response.json()).session_id;
}

/** Signs in at the screen that asks for the key. */
async function signIn(page, key) {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await field(page).waitFor();
}

const NOT_FOUND = "There is no such session";

const text = (page) => page.getByRole("log").innerText();
const field = (page) => page.getByRole("textbox", { name: "Message" });
const rail = (page) => page.getByRole("navigation");
const hashOf = (page) => new URL(page.url()).hash;

scene("ten tabs with ten running sessions have one connection, and other requests are answered", {}, async ({ model, server, proxy, person }) => {
  const middle = gate();
  const sessions = [];
  for (let number = 1; number <= 10; number += 1) {
    model.answers("The beginning ", middle.opened, "and the end.");
    sessions.push(await start(server, `Question ${number}`));
  }
  const tabs = [];
  for (const session of sessions) {
    const tab = await person.open(`#/s/${session}`);
    await tab.getByText("The beginning", { exact: true }).waitFor();
    tabs.push(tab);
  }
  await until(() => proxy.open === 1);
  assert.deepEqual(proxy.followed, sessions.toSorted());
  const status = await tabs[0].evaluate(async () => (await fetch("api/v1/sessions")).status);
  assert.equal(status, 200);
  middle.open();
  for (const tab of tabs) {
    await tab.getByText("The beginning and the end.").waitFor();
    await ended(tab);
  }
  assert.equal(proxy.open, 1);
});

for (const { browser, prepare } of BROWSERS) {
  scene(`two tabs on one session show the same text once: ${browser}`, { prepare }, async ({ model, person, proxy }) => {
    const [early, late] = [gate(), gate()];
    model.answers("One, ", early.opened, "two, ", late.opened, "three.");
    const first = await person.open();
    await say(first, "Count");
    await first.getByText("One,", { exact: true }).waitFor();
    const second = await person.open(hashOf(first));
    await second.getByText("One,", { exact: true }).waitFor();
    early.open();
    const third = await person.open(hashOf(first));
    for (const tab of [first, second, third]) await tab.getByText("One, two,", { exact: true }).waitFor();
    await until(() => proxy.open === (prepare ? 3 : 1));
    late.open();
    for (const tab of [first, second, third]) {
      await tab.getByText("One, two, three.").waitFor();
      await ended(tab);
      assert.equal(await drawn(tab), await drawn(first));
    }
  });

  scene(`a page that is loaded again in the middle of an answer goes on with it: ${browser}`, { prepare }, async ({ model, person }) => {
    const [early, late] = [gate(), gate()];
    model.answers("One, ", early.opened, "two, ", late.opened, "three.");
    const page = await person.open();
    await say(page, "Count");
    await page.getByText("One,", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("One,", { exact: true }).waitFor();
    early.open();
    await page.getByText("One, two,", { exact: true }).waitFor();
    await page.reload();
    late.open();
    await page.getByText("One, two, three.").waitFor();
    await ended(page);
    assert.equal((await text(page)).split("One").length, 2);
  });

  scene(`two tabs go on after the server was killed five times in the middle of a turn: ${browser}`, { configuration: "[limits]\nmax_attempts = 6\n", prepare, person: { allowed: LOST } }, async ({ model, server, person }) => {
    const never = gate();
    const word = (step) => `beginning-${step}`;
    const call = { name: "calculator", arguments: { expression: "6 * 7" } };
    // Each step but the last is killed once: a turn that has seen two deaths in one step continues only seconds later.
    // The attempts of the last step begin differently, so that a tab shows which of them it has seen.
    for (const step of [1, 2, 3]) model.answers(`${word(step)} `, call, never.opened).answers(`${word(step)} `, call);
    model.answers(`${word(4)} `, never.opened).answers(`${word(5)} `, never.opened).answers(`${word(6)} and the end.`);
    const first = await person.open();
    await say(first, "Go");
    await first.getByText(word(1)).waitFor();
    const second = await person.open(hashOf(first));
    const tabs = [first, second];
    for (const [number, tab] of tabs.entries()) await field(tab).fill(`draft ${number}`);
    for (const seen of [1, 2, 3, 4, 5]) {
      for (const tab of tabs) {
        await tab.getByText(word(seen)).waitFor();
        // The call of the answer that is cut off is there, too.
        await tab.locator(".call").nth(Math.min(seen, 3) - 1).waitFor();
      }
      await server.kill();
      for (const tab of tabs) await tab.getByRole("status").filter({ hasText: "Connection lost" }).waitFor();
      await server.run();
    }
    for (const [number, tab] of tabs.entries()) {
      await tab.getByText(`${word(6)} and the end.`).waitFor();
      await ended(tab);
      const shown = (await text(tab)).match(/beginning-\d/gu);
      assert.deepEqual(shown, [1, 2, 3, 6].map(word), "each step once, and nothing of attempts that were cut off");
      assert.equal(await tab.locator(".call").count(), 3, "a card for each call");
      assert.equal(await field(tab).inputValue(), `draft ${number}`);
    }
    assert.equal(await drawn(first), await drawn(second));
    never.open();
  });

  scene(`what could not be loaded is loaded when the connection is back: ${browser}`, { prepare, person: { allowed: LOST } }, async ({ proxy, person }) => {
    const page = await person.open();
    let refused = 0;
    let isRefusing = true;
    await page.route("**/more.js", (route) => {
      if (!isRefusing) return route.continue();
      refused += 1;
      return route.abort();
    });
    await page.reload();
    await until(() => refused > 0 && proxy.open === 1);
    await field(page).waitFor();
    assert.equal(await page.getByRole("button", { name: "Options" }).count(), 0);
    // The page tries before and after it is connected, which may be one attempt. Each new connection is another one.
    const before = refused;
    proxy.cut();
    await until(() => refused > before && proxy.open === 1);
    isRefusing = false;
    proxy.cut();
    await page.getByRole("button", { name: "Options" }).waitFor();
  });

  scene(`nothing is lost or doubled when the connection is cut: ${browser}`, { prepare, person: { allowed: LOST } }, async ({ model, proxy, person }) => {
    const gates = Array.from({ length: 4 }, gate);
    model.answers("0 ", ...gates.flatMap(({ opened }, number) => [opened, `${number + 1} `]), "end.");
    const page = await person.open();
    await say(page, "Count");
    await page.getByText("0", { exact: true }).waitFor();
    for (const { open } of gates) {
      const feeds = proxy.feeds.length;
      proxy.cut();
      open();
      await until(() => proxy.feeds.length > feeds);
      assert.ok(proxy.feeds.at(-1).body.sessions.every(({ after }) => after), "it continues after the last event");
    }
    await page.getByText("0 1 2 3 4 end.").waitFor();
    await ended(page);
  });

  scene(`what happens in one tab is seen in the lists of another: ${browser}`, { prepare, person: { allowed: /status of 404/ } }, async ({ model, person }) => {
    model.answers("Yes.").answers("No.");
    const first = await person.open();
    const second = await person.open();
    const link = (tab, title) => rail(tab).getByRole("link", { name: title });
    for (const title of ["Apple", "Pear"]) {
      await first.getByRole("button", { name: "New session" }).click();
      await first.getByRole("heading", { name: "What can I do for you?" }).waitFor();
      await say(first, title);
      await ended(first);
      await link(second, title).waitFor();
    }
    assert.match(await rail(second).getByRole("listitem").first().innerText(), /Pear/);
    await link(second, "Apple").click();
    await second.getByText("Yes.").waitFor();
    await field(second).fill("a draft");
    await first.goto(`${person.url}#/sessions`);
    await first.getByRole("button", { name: "Rename: Pear" }).click();
    await first.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Plum");
    await first.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await link(second, "Plum").waitFor();
    await first.getByRole("button", { name: "Delete: Apple" }).click();
    // It is final when the tab is hidden.
    await hide(first, true);
    await link(second, "Apple").waitFor({ state: "detached" });
    await second.getByRole("alert").getByText("This session was deleted.").waitFor();
    assert.equal(await field(second).inputValue(), "a draft");
    await accessible(second, "a session that was deleted elsewhere");
    assert.equal(await link(second, "Plum").count(), 1);
  });
}

const ASKING = `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`;

scene("a decision that is needed in one tab is counted in another until it is made", { configuration: ASKING }, async ({ model, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "6 * 7" } }).answers("It is 42.");
  const first = await person.open();
  const second = await person.open();
  await say(first, "What is 6 x 7?");
  await rail(second).getByLabel("1 decision").waitFor();
  await first.getByRole("button", { name: "Approve once" }).click();
  await rail(second).getByLabel("1 decision").waitFor({ state: "detached" });
});

scene("other tabs come and go while an answer is written, and it has every word once", {}, async ({ model, server, person }) => {
  const words = Array.from({ length: 400 }, (_, number) => `w${number} `);
  const rest = gate();
  model.answersWith(function* () {
    for (const word of words.slice(0, 300)) {
      yield word;
      yield new Promise((resolve) => setTimeout(resolve, 10));
    }
    yield rest.opened;
    yield* words.slice(300);
  }());
  model.answers("Another answer.");
  const page = await person.open();
  await say(page, "Write");
  await page.getByText("w0").waitFor();
  const another = await start(server, "Another question");
  for (const address of [hashOf(page), `#/s/${another}`, hashOf(page), "#/", hashOf(page), `#/s/${another}`]) {
    const tab = await person.open(address);
    await field(tab).waitFor();
    await tab.close();
  }
  rest.open();
  await ended(page);
  assert.deepEqual((await page.getByText("w0 w1").innerText()).trim(), words.join("").trim());
});

for (const { how, prepare } of [
  { how: "that was closed", prepare: undefined },
  {
    how: "that ended without saying so",
    prepare: () => {
      const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (message, ...others) {
        if (message?.type !== "leave") post.call(this, message, ...others);
      };
      MessagePort.prototype.close = () => {};
    },
  },
]) {
  scene(`the session of a tab ${how} is not followed any more`, { prepare }, async ({ model, server, proxy, person }) => {
    model.answers("One.").answers("Two.");
    const [one, two] = [await start(server, "First"), await start(server, "Second")];
    const first = await person.open(`#/s/${one}`);
    await ended(first);
    const second = await person.open(`#/s/${two}`);
    await ended(second);
    assert.deepEqual(proxy.followed, [one, two].sort());
    await second.close();
    await until(() => proxy.followed.length === 1 && proxy.open === 1);
    assert.deepEqual(proxy.followed, [one]);
    await first.close();
    await until(() => proxy.open === 0);
  });
}

scene("signing out in one tab signs out the others, and ends the connection", { configuration: '[auth]\nmode = "api_key"\n', person: { allowed: /status of 401/ } }, async ({ server, proxy, person }) => {
  const key = await server.command("keys", "create", "page");
  const tabs = [await person.open(), await person.open()];
  for (const tab of tabs) await signIn(tab, key);
  await until(() => proxy.open === 1);
  await tabs[0].goto(`${person.url}#/settings`);
  await tabs[0].getByRole("button", { name: "Sign out" }).click();
  for (const tab of tabs) await tab.getByLabel("API key").waitFor();
  await until(() => proxy.open === 0);
});

scene("a tab with another key has a connection of its own", { configuration: '[auth]\nmode = "api_key"\n', person: { allowed: /status of 401/ } }, async ({ server, proxy, person }) => {
  const keys = [await server.command("keys", "create", "one"), await server.command("keys", "create", "two")];
  for (const key of keys) {
    const tab = await person.open();
    await signIn(tab, key);
  }
  await until(() => proxy.open === 2);
  assert.deepEqual(proxy.feeds.map(({ authorization }) => authorization).sort(), keys.map((key) => `Bearer ${key}`).sort());
});

scene("a key that is revoked in the middle of an answer ends in the sign-in of every tab, and another key loses nothing", { configuration: '[auth]\nmode = "api_key"\n', person: { allowed: /status of 401|ERR_/ } }, async ({ model, server, person }) => {
  const createKey = (name) => server.command("keys", "create", name, "--user", "ada");
  const middle = gate();
  model.answers("The beginning ", middle.opened, "and the end.");
  const key = await createKey("first");
  const tabs = [await person.open(), await person.open()];
  for (const tab of tabs) await signIn(tab, key);
  await say(tabs[0], "Go");
  await tabs[0].getByText("The beginning", { exact: true }).waitFor();
  await tabs[1].goto(`${person.url}${hashOf(tabs[0])}`);
  await tabs[1].getByText("The beginning", { exact: true }).waitFor();
  await field(tabs[0]).fill("a draft");
  const id = (await server.command("keys", "ls")).match(/[0-9a-f]{8}-[0-9a-f-]{27}/)[0];
  await server.command("keys", "revoke", id);
  for (const tab of tabs) {
    await tab.getByLabel("API key").waitFor();
    await tab.getByRole("alert").filter({ hasText: "The server does not accept it." }).waitFor();
  }
  const another = await createKey("second");
  for (const tab of tabs) {
    await signIn(tab, another);
    await tab.getByText("The beginning", { exact: true }).waitFor();
  }
  middle.open();
  for (const tab of tabs) {
    await ended(tab);
    assert.equal(await tab.getByText("The beginning and the end.", { exact: true }).count(), 1);
    assert.equal((await text(tab)).split("The beginning").length, 2);
    assert.equal((await text(tab)).split("Go").length, 2);
  }
  assert.equal(await field(tabs[0]).inputValue(), "a draft");
  assert.equal(await drawn(tabs[0]), await drawn(tabs[1]));
});

scene("a tab without a shared worker ends its connection while it is hidden, and catches up when it is seen", { prepare: BROWSERS[1].prepare }, async ({ model, proxy, person }) => {
  const middle = gate();
  model.answers("One, ", middle.opened, "two.");
  const page = await person.open();
  await page.clock.install();
  await say(page, "Count");
  await page.getByText("One,", { exact: true }).waitFor();
  await hide(page, true);
  await page.clock.runFor(31_000);
  await until(() => proxy.open === 0);
  middle.open();
  await hide(page, false);
  await page.getByText("One, two.").waitFor();
  await ended(page);
});

scene("an address that is no session ends for its own tab alone", {}, async ({ model, person }) => {
  const middle = gate();
  model.answers("One, ", middle.opened, "two.");
  const page = await person.open();
  await say(page, "Count");
  const other = await person.open("#/s/nonsense");
  await other.getByText(NOT_FOUND).waitFor();
  middle.open();
  await page.getByText("One, two.").waitFor();
});

scene("the page can make a worker of its own script alone", { person: { allowed: /policy violated|violates the following|TrustedScriptURL|policy/i } }, async ({ person }) => {
  const page = await person.open();
  await field(page).waitFor();
  const refused = await page.evaluate(() => {
    const attempts = [
      () => new SharedWorker("./app.js"),
      () => new SharedWorker("./worker.js"),
      () => new Worker("./app.js"),
      () => trustedTypes.createPolicy("turnkit", { createScriptURL: (text) => text }),
      () => trustedTypes.createPolicy("another", { createScriptURL: (text) => text }),
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return "made";
      } catch (error) {
        return error.name;
      }
    });
  });
  assert.deepEqual(refused, refused.map(() => "TypeError"));
});
