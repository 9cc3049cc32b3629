// Calls of tools as cards, and the decisions and questions that they wait for.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after } from "node:test";
import { accessible, close, drawn, ended, Person, say, until } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { LOOKS, LOST, read, scene } from "./scene.mjs";
import { gate } from "./server.mjs";

/** A tool ends when the test writes this file. */
const FOLDER = await mkdtemp(join(tmpdir(), "turnkit-cards-"));
const FLAG = join(FOLDER, "go");

after(async () => {
  await close();
  await rm(FOLDER, { recursive: true, force: true });
});

const TOOLS = fileURLToPath(new URL("./mcp-tools.mjs", import.meta.url));

const agent = (...tools) => `[[agents]]\nname = "assistant"\ntools = ${JSON.stringify(tools)}\n`;
const MCP = `${agent("calculator", "cards__*")}[[mcp]]
name = "cards"
command = ["${process.execPath}", "${TOOLS}"]
trust = "annotations"
`;
const SCRIPT = `echo looking; while [ ! -e ${FLAG} ]; do sleep 0.05; done; echo found`;
const LOOK = `${agent("look")}[[tools.command]]
name = "look"
description = "looks"
parameters = { properties = {} }
run = ["sh", "-c", ${JSON.stringify(SCRIPT)}]
`;
const ASKING = `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`;
const FILES = `${agent("write_file", "edit_file")}[files]\nroots = ["."]\n`;
const ASKS = agent("ask_user");
const CHILDREN = `${agent("task")}[[agents]]\nname = "helper"\ndescription = "calculates"\ntools = ["calculator"]\n`;

const call = (name, given = {}) => ({ name, arguments: given });
const log = (page) => page.getByRole("log");
const card = (page, name) => log(page).locator("details.call", { has: page.locator("summary", { hasText: name }) }).first();
const open = (page, name) => card(page, name).locator("> summary").click();
const approval = (page, tool) => page.getByRole("group", { name: `May ${tool} run?` });
const button = (within, name) => within.getByRole("button", { name, exact: true });

/** Reloads the page, and checks that it shows the same. */
async function sameAfterReload(page, text) {
  const before = await drawn(page);
  await page.reload();
  await log(page).getByText(text).waitFor();
  await card(page, "").waitFor();
  assert.equal(await drawn(page), before);
}

/** Checks that nothing is wider than the screen. */
async function fits(page) {
  const widest = await page.evaluate(() => {
    const shown = [...document.querySelectorAll("main *")].filter((element) => !element.closest(".table-frame *, pre *, .tree *"));
    return Math.max(...shown.map((element) => element.getBoundingClientRect().right));
  });
  assert.ok(widest <= page.viewportSize().width, `something reaches to ${widest}`);
}

scene("a card says how far its call is, and the same after a reload", { configuration: LOOK }, async ({ model, person }) => {
  model.answers(call("look")).answers("There it is.");
  const page = await person.open();
  await say(page, "Look");
  const shown = card(page, "look");
  await shown.getByText("waiting for you").waitFor();
  await button(approval(page, "look"), "Approve once").click();
  await shown.getByText("running").waitFor();
  await shown.getByText("looking").waitFor();
  await shown.locator(".tool-time").filter({ hasText: /[1-9]\d*\ssec/ }).waitFor();
  await page.reload();
  await shown.getByText("looking").waitFor();
  await accessible(page, "a running call");
  await writeFile(FLAG, "");
  await page.getByText("There it is.").waitFor();
  await ended(page);
  await shown.getByText("done").waitFor();
  await sameAfterReload(page, "There it is.");
});

scene("calls of one step are one line, and an error is shown", {}, async ({ model, person }) => {
  const expressions = ["1 + 1", "2 +", "3 + 3"];
  model.answers(...expressions.map((expression) => call("calculator", { expression }))).answers("Ready.");
  const page = await person.open();
  await say(page, "Calculate");
  await page.getByText("Ready.").waitFor();
  await ended(page);
  await page.getByText("3 tools · 2 done · 1 failed").click();
  assert.equal(await log(page).locator("details.call").count(), 3);
  await log(page).locator("details.call.failed > summary").click();
  await log(page).getByText("Error", { exact: true }).waitFor();
});

scene("arguments and results are trees, which keys open, close and copy", {
  configuration: MCP,
  person: { permissions: ["clipboard-read", "clipboard-write"] },
}, async ({ model, person }) => {
  model.answers(call("cards__nested")).answers("Nested.");
  const page = await person.open();
  await say(page, "Nest");
  await page.getByText("Nested.").waitFor();
  await open(page, "cards__nested");
  const tree = page.getByRole("tree", { name: "Result" });
  await tree.getByText("12345678901234567890").waitFor();
  await tree.getByText('"two⟨U+202E⟩lines"').waitFor();
  assert.equal(await tree.locator('[role=treeitem][tabindex="0"]').count(), 1);
  const focused = () => page.evaluate(() => document.activeElement.querySelector(".tree-key")?.textContent);
  await tree.locator('[role=treeitem][tabindex="0"]').focus();
  assert.equal(await focused(), "deep");
  for (const [key, expected] of [
    ["ArrowDown", "list"], ["ArrowDown", "0"], ["ArrowLeft", "list"], ["ArrowLeft", "list"], ["ArrowDown", "empty"],
    ["End", "yes"], ["Home", "deep"], ["ArrowRight", "list"], ["ArrowRight", "list"], ["ArrowRight", "0"], ["ArrowDown", "1"],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), expected, key);
  }
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await until(copied, (text) => text === "12345678901234567890");
  assert.deepEqual(await log(page).locator("details.call[open]").count(), 1, "the keys of the tree are not those of the page");
  await accessible(page, "a tree");
});

scene("of a long text the first 20,000 characters are shown, and all of it when asked for", { configuration: MCP }, async ({ model, person }) => {
  const text = "x".repeat(100_000);
  model.answers(call("cards__long", { lines: 3_000 })).answers("Long.");
  model.answers(call("cards__big", { values: 200 })).answers("Big.");
  model.answers(call("cards__long", { lines: 1, note: text })).answers("Much.");
  const page = await person.open();
  await say(page, "One");
  await page.getByText("Long.").waitFor();
  await ended(page);
  await open(page, "cards__long");
  const result = card(page, "cards__long").locator("section").filter({ hasText: "Result" });
  await result.getByText(/^The first 20,000 of/).waitFor();
  assert.equal((await result.locator("pre").textContent()).length, 20_000);
  await button(result, "Show all").click();
  await button(result, "Show all").waitFor({ state: "detached" });
  assert.ok((await result.locator("pre").textContent()).length > 20_000);
  await say(page, "Two");
  await page.getByText("Big.").waitFor();
  await ended(page);
  await open(page, "cards__big");
  const tree = card(page, "cards__big").getByRole("tree", { name: "Result" });
  await tree.getByRole("treeitem").nth(199).waitFor();
  await say(page, "Three");
  await page.getByText("Much.").waitFor();
  await ended(page);
  // Pages of turns have the first 64 KiB of a text.
  await say(page, "Four");
  await page.getByText("The script has ended.").waitFor();
  await page.reload();
  await page.getByText("Much.").waitFor();
  const last = log(page).locator("details.call").last();
  await last.locator("> summary").click();
  const given = last.locator("section").filter({ hasText: "Arguments" });
  await given.getByText("The rest was left out.").waitFor();
  await button(given, "Show all").click();
  await given.getByRole("tree").getByText(text).waitFor();
});

scene("images of a result are shown, and structured data is a tree", { configuration: MCP }, async ({ model, person }) => {
  model.answers(call("cards__picture")).answers("Red.").answers(call("cards__structured")).answers("Two.");
  const page = await person.open();
  await say(page, "Show");
  await page.getByText("Red.").waitFor();
  await ended(page);
  await sameAfterReload(page, "Red.");
  await open(page, "cards__picture");
  const image = page.getByRole("img", { name: "Image 1 of the result" });
  await image.waitFor();
  assert.match(await image.getAttribute("src"), /^blob:/);
  assert.equal(await image.evaluate((image) => image.decode().then(() => image.naturalWidth)), 1);
  await accessible(page, "an image");
  await say(page, "Structure");
  await page.getByText("Two.").waitFor();
  await open(page, "cards__structured");
  await page.getByRole("tree", { name: "Data" }).getByText('"Lisbon"').waitFor();
});

const TYPES = {
  table: { columns: ["city", "year"], rows: [["Lisbon", 1755], ["Porto", null]] },
  sources: [{ title: "A page", url: "https://example.com/" }, { title: "A trap", url: "javascript:alert(1)" }],
  file: { name: "../\u202Ereport.pdf", media_type: "application/pdf", url: "blob:0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01" },
  image: { name: "drawing", media_type: "image/svg+xml", url: "blob:0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01" },
  other: { anything: 1 },
};

/** Gives the calls of a session's first turn data of these kinds. */
function withData(frame, kinds) {
  const [event, line] = frame.split("\ndata: ");
  if (event !== "event: resync") return frame;
  const data = JSON.parse(line);
  for (const [index, tool] of data.turns.data[0].tools.entries()) {
    tool.data = { kind: kinds[index], payload: TYPES[kinds[index]] };
  }
  return `${event}\ndata: ${JSON.stringify(data)}`;
}

for (const look of LOOKS) {
  scene(`data of known types is drawn: ${look.colorScheme}, ${look.viewport.width} pixels`, { configuration: MCP, person: look }, async ({ model, server, person }) => {
    const kinds = Object.keys(TYPES);
    model.answers(...kinds.map(() => call("cards__structured"))).answers("All.");
    const page = await person.open();
    await say(page, "Structure");
    await page.getByText("All.").waitFor();
    await ended(page);
    const proxy = await Proxy.before(server);
    proxy.change = (frame) => withData(frame, kinds);
    const reader = await Person.at(`${proxy.url}/`, look);
    const shown = await reader.open(new URL(page.url()).hash);
    await shown.getByText("5 tools · 5 done").click();
    const summaries = log(shown).locator("details.call > summary");
    for (let index = 0; index < kinds.length; index += 1) await summaries.nth(index).click();
    await shown.getByRole("cell", { name: "1755" }).waitFor();
    await shown.getByRole("columnheader", { name: "city" }).waitFor();
    assert.equal(await shown.getByRole("link", { name: "A page" }).getAttribute("href"), "https://example.com/");
    assert.equal(await shown.getByRole("link", { name: "A trap" }).count(), 0);
    await shown.getByRole("button", { name: "Download .._report.pdf" }).waitFor();
    await shown.getByRole("button", { name: "Download drawing" }).waitFor();
    await shown.getByRole("tree", { name: "Data" }).getByText("anything").waitFor();
    await accessible(shown, "data of known types");
    await fits(shown);
    await reader.leave();
    proxy.stop();
  });
}

scene("the turn of a sub-agent is within its call", { configuration: `${CHILDREN}${ASKING}` }, async ({ model, person }) => {
  model.answers(call("task", { prompt: "Add", agent: "helper" })).answers(call("calculator", { expression: "40 + 2" }));
  model.answers("The sum is 42.").answers("So it is.");
  const page = await person.open();
  await say(page, "Go");
  await approval(page, "calculator").getByText("helper").waitFor();
  await open(page, "task");
  await page.getByText("Work of helper").click();
  await card(page, "calculator").getByText("waiting for you").waitFor();
  await button(approval(page, "calculator"), "Approve once").click();
  await page.locator(".child-turn").getByText("The sum is 42.").waitFor();
  await page.getByText("So it is.").waitFor();
  await ended(page);
  await sameAfterClosed(page);
  await open(page, "task");
  await page.getByText("Work of helper").click();
  await page.locator(".child-turn").getByText("The sum is 42.").waitFor();
  assert.equal(await page.getByRole("navigation").getByText("Add").count(), 0, "its session is in no list");
  await accessible(page, "a sub-agent");
});

/** The turn of a sub-agent within the calls of its parent. */
const child = (page, number) => log(page).locator(".child-turn").nth(number);

/** Lets sub-agents work at once, each of which needs a decision. */
async function delegate(model, page, count) {
  model.answers(...Array.from({ length: count }, () => call("task", { prompt: "Add", agent: "helper" })));
  for (let number = 0; number < count; number += 1) model.answers(call("calculator", { expression: "40 + 2" }));
  await say(page, "Go");
  await approval(page, "calculator").nth(count - 1).waitFor();
  await page.getByText(/^\d tools · /).click();
}

async function openChild(page, number) {
  await log(page).locator("details.call > summary", { hasText: "task" }).nth(number).click();
  await child(page, number).getByText("Work of helper").click();
}

/** Makes the decisions, and checks that the sub-agents and their parent go on to their ends. */
async function approveAll(model, page, count) {
  for (let left = count - 1; left >= 0; left -= 1) {
    model.answers("The sum is 42.");
    if (left === 0) model.answers("So it is.");
    await button(approval(page, "calculator").first(), "Approve once").click();
    await until(() => approval(page, "calculator").count(), (waiting) => waiting === left);
  }
  for (let number = 0; number < count; number += 1) await child(page, number).getByText("The sum is 42.").waitFor();
  await page.getByText("So it is.").waitFor();
  await ended(page);
}

scene("decisions are made while the turns of many sub-agents are open", { configuration: `${CHILDREN}${ASKING}` }, async ({ model, person }) => {
  const tabs = [];
  for (const _ of ["first", "second"]) {
    const page = await person.open();
    await delegate(model, page, 3);
    // A browser opens six connections to a server, for all of its tabs.
    for (const number of [0, 1, 2]) {
      await openChild(page, number);
      await child(page, number).getByText("waiting for you").waitFor();
    }
    tabs.push(page);
  }
  for (const page of tabs) {
    // A tab in the background is drawn late.
    await page.bringToFront();
    await approveAll(model, page, 3);
  }
});

scene("the turns of sub-agents go on after the server was killed, also those that were opened meanwhile", {
  configuration: `${CHILDREN}${ASKING}`,
  person: { allowed: LOST },
}, async ({ model, server, person }) => {
  const page = await person.open();
  await delegate(model, page, 2);
  await openChild(page, 0);
  await child(page, 0).getByText("waiting for you").waitFor();
  await server.kill();
  await page.getByRole("status").filter({ hasText: "Connection lost" }).waitFor();
  await openChild(page, 1);
  await child(page, 1).getByRole("alert").filter({ hasText: "It could not be loaded" }).waitFor();
  await server.run();
  await child(page, 1).getByText("waiting for you").waitFor();
  await child(page, 0).getByText("waiting for you").waitFor();
  await approveAll(model, page, 2);
});

/** Closes what the test opened, and checks that a reload changes nothing. */
async function sameAfterClosed(page) {
  await page.getByText("Work of helper").click();
  await open(page, "task");
  await page.locator(".child-turn[open], .call[open]").first().waitFor({ state: "detached" });
  await sameAfterReload(page, "So it is.");
}

for (const look of LOOKS) {
  scene(`an approval shows what an edit changes: ${look.colorScheme}, ${look.viewport.width} pixels`, { configuration: FILES, person: look }, async ({ model, person }) => {
    model.answers(call("write_file", { path: "notes.txt", content: "one\ntwo\u202E\nthree\n" }));
    model.answers(call("edit_file", { path: "notes.txt", old: "one\n", new: "uno\n" })).answers("Edited.");
    const page = await person.open();
    await say(page, "Edit");
    const first = approval(page, "write_file");
    await first.getByText("creates notes.txt").waitFor();
    await first.locator(".added").filter({ hasText: "+two⟨U+202E⟩" }).waitFor();
    await first.getByText("Expires in 7 days").waitFor();
    await button(first, "Approve once").click();
    const second = approval(page, "edit_file");
    await second.locator(".removed").filter({ hasText: "-one" }).waitFor();
    await second.locator(".added").filter({ hasText: "+uno" }).waitFor();
    await button(second, "Approve once").and(page.locator(":enabled")).waitFor();
    await accessible(page, "a difference");
    await fits(page);
    await button(second, "Edit").click();
    await second.getByRole("textbox", { name: "Arguments as JSON" }).and(page.locator(":focus")).waitFor();
    await accessible(page, "an editor");
    await button(second, "Discard changes").click();
    await button(second, "Approve once").click();
    await page.getByText("Edited.").waitFor();
    await ended(page);
    await sameAfterReload(page, "Edited.");
  });
}

scene("a mistake in changed arguments is shown at the editor, and what was written is sent", {
  configuration: ASKING,
  person: { allowed: /status of 422/ },
}, async ({ model, server, person }) => {
  model.answers(call("calculator", { expression: "1" })).answers("Done.");
  const page = await person.open();
  await say(page, "Add");
  const shown = approval(page, "calculator");
  await button(shown, "Edit").click();
  const editor = shown.getByRole("textbox", { name: "Arguments as JSON" });
  await editor.fill('{"expression": 5}');
  await button(shown, "Approve once").click();
  await shown.getByRole("alert").filter({ hasText: /^\/expression: / }).waitFor();
  assert.equal(await editor.getAttribute("aria-invalid"), "true");
  await accessible(page, "a refused change");
  await editor.fill('{"expression": "12345678901234567890 + 1"}');
  await shown.getByRole("alert").waitFor({ state: "detached" });
  await shown.getByRole("textbox", { name: "Note" }).fill("a long one");
  await button(shown, "Approve once").click();
  await page.getByText("Done.").waitFor();
  await open(page, "calculator");
  await page.getByText("A person changed the arguments.").waitFor();
  await card(page, "calculator").getByText("12345678901234567891").waitFor();
  const { data } = await read(server, "interactions?state=all");
  assert.equal(data[0].decided.note, "a long one");
});

scene("changed arguments reach the server as they were written, whatever characters they have", { configuration: ASKING }, async ({ model, server, person }) => {
  model.answers(call("calculator", { expression: "1" })).answers("Done.");
  const page = await person.open();
  await say(page, "Add");
  const shown = approval(page, "calculator");
  await button(shown, "Edit").click();
  // The characters with which a replacement names what it replaces.
  const written = `{ "expression": "$$ $& $1 $\` $' \\u202E" }`;
  await shown.getByRole("textbox", { name: "Arguments as JSON" }).fill(written);
  await button(shown, "Approve once").click();
  await page.getByText("Done.").waitFor();
  const { data } = await read(server, "interactions?state=all");
  assert.equal(data[0].decided.arguments, written);
});

scene("a card that was decided elsewhere says so, and another card takes no click meant for it", { configuration: ASKING }, async ({ model, server, person }) => {
  model.answers(call("calculator", { expression: "1" }), call("calculator", { expression: "2" })).answers("Done.");
  const page = await person.open();
  await say(page, "Add");
  const cards = approval(page, "calculator");
  await cards.nth(1).waitFor();
  await button(cards.nth(1), "Approve once").and(page.locator(":enabled")).waitFor();
  const { data } = await read(server, "interactions");
  await fetch(`${server.url}/api/v1/interactions/${data[0].id}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: '{"decision":"deny"}',
  });
  await page.getByText(/^calculator was denied elsewhere \(/).waitFor();
  assert.equal(await cards.count(), 1);
  await accessible(page, "decided elsewhere");
  await button(cards, "Deny").click();
  await page.getByText("Done.").waitFor();
  await page.getByText("2 tools · 2 denied").waitFor();
});

/** Watches for a text. The function that it returns says whether a button took clicks at the moment the text was there. */
async function tookClicks(page, name, text) {
  const watched = await page.evaluateHandle(([name, text]) => {
    const isEnabled = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector("[role=log]").innerText.includes(text)) return;
        observer.disconnect();
        const buttons = [...document.querySelectorAll(".approval button")];
        resolve(buttons.find((button) => button.textContent === name).matches(":enabled"));
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    return { isEnabled };
  }, [name, text]);
  return () => watched.evaluate(({ isEnabled }) => isEnabled);
}

scene("the name of an agent that comes late moves no button, and no click just then counts", { configuration: ASKS }, async ({ model, person }) => {
  model.answers(call("ask_user", { question: "Where to?" })).answers("Off we go.");
  const page = await person.open();
  const late = gate();
  await page.route(/\/api\/v1\/turns\/[^/]+$/, async (route) => {
    await late.opened;
    await route.continue();
  });
  await say(page, "Travel");
  const answer = button(page.getByRole("group", { name: "Question from ask_user" }), "Answer");
  await page.getByRole("textbox", { name: "Answer" }).fill("Porto");
  await answer.and(page.locator(":enabled")).waitFor();
  const before = await answer.boundingBox();
  const tookClick = await tookClicks(page, "Answer", "assistant");
  late.open();
  assert.equal(await tookClick(), false);
  assert.deepEqual(await answer.boundingBox(), before);
  await answer.click();
  await page.getByText("Off we go.").waitFor();
});

scene("a card that the sentence about another one moves takes no click just then", { configuration: ASKING }, async ({ model, server, person }) => {
  model.answers(call("calculator", { expression: "1" }), call("calculator", { expression: "2" })).answers("Done.");
  const page = await person.open();
  const late = gate();
  await page.route("**/api/v1/interactions/*", async (route) => {
    if (route.request().method() === "GET") await late.opened;
    await route.continue();
  });
  await say(page, "Add");
  const cards = approval(page, "calculator");
  await cards.nth(1).waitFor();
  const { data } = await read(server, "interactions");
  await fetch(`${server.url}/api/v1/interactions/${data[0].id}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: '{"decision":"deny"}',
  });
  await until(() => cards.count(), (count) => count === 1);
  const approve = button(cards, "Approve once");
  await approve.and(page.locator(":enabled")).waitFor();
  const tookClick = await tookClicks(page, "Approve once", "denied elsewhere");
  late.open();
  assert.equal(await tookClick(), false);
  await approve.click();
  await page.getByText("Done.").waitFor();
});

scene("a decision that comes too late is not made", { configuration: ASKING, person: { allowed: /status of 409/ } }, async ({ model, server, person }) => {
  model.answers(call("calculator", { expression: "1" })).answers("Done.");
  const page = await person.open();
  await page.route("**/interactions/*", async (route) => {
    // Another client is faster.
    if (route.request().method() === "POST") {
      await fetch(route.request().url(), { method: "POST", headers: { "content-type": "application/json" }, body: '{"decision":"deny"}' });
    }
    await route.continue();
  });
  await say(page, "Add");
  await button(approval(page, "calculator"), "Approve once").click();
  await page.getByText(/^calculator was denied elsewhere \(/).waitFor();
  await page.getByText("Done.").waitFor();
  await card(page, "calculator").getByText("denied").waitFor();
});

scene("a call that nobody decides expires, and the page says so", {
  // The card is seen before it expires.
  configuration: "[permissions]\napproval_ttl_s = 9\nrules = [{ tool = \"calculator\", decision = \"ask\" }]\n",
}, async ({ model, person }) => {
  model.answers(call("calculator", { expression: "1" })).answers("Too late.");
  const page = await person.open();
  await say(page, "Add");
  await approval(page, "calculator").getByText(/^Expires in \d seconds?$/).waitFor();
  await page.getByText("Too late.").waitFor({ timeout: 60_000 });
  await page.getByText("calculator was not decided in time, and did not run.").waitFor();
});

const PROPERTIES = {
  name: { type: "string", title: "Name", minLength: 2, description: "Of the city" },
  people: { type: "integer", minimum: 1, maximum: 9 },
  size: { enum: ["small", "large"], default: "large" },
  country: { enum: ["a", "b", "c", "d", "e", "f"] },
  extras: { type: "array", items: { enum: ["tea", "milk"] } },
  agree: { type: "boolean" },
};
const SCHEMA = { type: "object", properties: PROPERTIES, required: ["name", "people"] };

for (const look of LOOKS) {
  scene(`a question with a schema is a form: ${look.colorScheme}, ${look.viewport.width} pixels`, { configuration: ASKS, person: look }, async ({ model, server, person }) => {
    model.answers(call("ask_user", { question: "Where to?", schema: SCHEMA })).answers("Off we go.");
    const page = await person.open();
    await say(page, "Travel");
    const form = page.getByRole("group", { name: "Question from ask_user" });
    await button(form, "Answer").click();
    await form.getByText("An answer is needed here.").first().waitFor();
    assert.equal(await form.getByText("An answer is needed here.").count(), 2);
    await form.getByRole("textbox", { name: "Name" }).and(page.locator(":focus")).waitFor();
    await accessible(page, "errors of a form");
    await fits(page);
    await form.getByRole("textbox", { name: "Name" }).fill("x");
    await form.getByRole("textbox", { name: "people" }).fill("2.5");
    await button(form, "Answer").click();
    await form.getByText("Enter at least 2 characters.").waitFor();
    await form.getByText("This is not a whole number.").waitFor();
    await form.getByRole("textbox", { name: "Name" }).fill("Porto");
    await form.getByRole("textbox", { name: "people" }).fill("10");
    await button(form, "Answer").click();
    await form.getByText("Must be at most 9.").waitFor();
    await form.getByRole("textbox", { name: "people" }).fill("3");
    assert.equal(await form.getByRole("radio", { name: "large" }).isChecked(), true);
    await form.getByRole("combobox").selectOption("c");
    await form.getByRole("checkbox", { name: "milk" }).check();
    await form.getByRole("checkbox", { name: "agree" }).check();
    await button(form, "Answer").click();
    await page.getByText("Off we go.").waitFor();
    const { data } = await read(server, "interactions?state=all");
    assert.deepEqual(data[0].decided.answer, { name: "Porto", people: 3, size: "large", country: "c", extras: ["milk"], agree: true });
  });
}

const SINGLE = [
  [{ type: "boolean" }, (form) => form.getByRole("radio", { name: "Yes" }).check(), true],
  [{ type: "number", minimum: 0 }, (form) => form.getByRole("textbox", { name: "Answer" }).fill("0,5"), 0.5],
  [{ type: "string", default: "as ever" }, () => {}, "as ever"],
  [{ oneOf: [{ const: 1, title: "One" }, { const: 2, title: "Two" }] }, (form) => form.getByRole("radio", { name: "Two" }).check(), 2],
  [{ type: "array", items: { type: "number" } }, (form) => form.getByRole("textbox", { name: "Answer as JSON" }).fill("[1]"), [1]],
  [{ type: "string", pattern: "^a" }, async (form) => {
    await form.getByRole("textbox", { name: "Answer" }).fill("b");
    await button(form, "Answer").click();
    await form.locator(".field .error").waitFor();
    await form.getByRole("textbox", { name: "Answer" }).fill("ab");
  }, "ab"],
];

scene("a question for one value is a field, and what the server refuses is shown there", { configuration: ASKS, person: { allowed: /status of 422/ } }, async ({ model, server, person }) => {
  for (const [schema] of SINGLE) model.answers(call("ask_user", { question: JSON.stringify(schema), schema })).answers("Thanks.");
  const page = await person.open();
  for (const [index, [schema, fill, expected]] of SINGLE.entries()) {
    await say(page, `Question ${index}`);
    const form = page.getByRole("group", { name: "Question from ask_user" });
    await form.getByText(JSON.stringify(schema)).waitFor();
    await fill(form);
    await button(form, "Answer").click();
    await form.waitFor({ state: "detached" });
    await ended(page);
    const { data } = await read(server, "interactions?state=all&limit=200");
    assert.ok(data.some(({ decided }) => JSON.stringify(decided?.answer) === JSON.stringify(expected)), JSON.stringify(schema));
  }
});

scene("without their part of the page, calls and decisions have names and a way out", { configuration: ASKING, person: { allowed: /cards\.js|ERR_FAILED/ } }, async ({ model, person }) => {
  model.answers(call("calculator", { expression: "1" })).answers("Done.");
  const page = await person.open();
  await page.route("**/cards.js", (route) => route.abort());
  await say(page, "Add");
  await log(page).getByText("This part of the page could not be loaded.").waitFor();
  await log(page).getByText("waiting for you").waitFor();
  await accessible(page, "without cards");
  await page.unroute("**/cards.js");
  await log(page).getByRole("button", { name: "Reload" }).click();
  await button(approval(page, "calculator"), "Approve once").click();
  await page.getByText("Done.").waitFor();
});
