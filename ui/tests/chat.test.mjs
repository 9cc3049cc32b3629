// The page against the real server: messages, tools, tabs, restarts.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, close, drawn, ended, Person, say } from "./browser.mjs";
import { gate, Model, Server } from "./server.mjs";

after(close);

/** Runs a test with a server, a model and a person, and stops them. */
function scene(name, { offline = false, configuration, person: options } = {}, play) {
  test(name, async () => {
    const model = offline ? undefined : await new Model().start();
    const server = await Server.start({ model, configuration });
    const person = await Person.at(`${server.url}/`, options);
    try {
      await play({ model, server, person });
      await person.leave();
    } finally {
      await server.stop();
      model?.stop();
    }
  });
}

const ASKING = `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`;

scene("a first message is answered without a model, and the turn is there after a reload", { offline: true }, async ({ person }) => {
  const page = await person.open();
  await say(page, "What is 12.5% of 840?");
  await page.getByText("12.5% of 840 is 105.").waitFor();
  await ended(page);
  assert.match(page.url(), /#\/s\/[0-9a-f-]+$/);
  await page.getByRole("link", { name: /^What is 12\.5% of 840\?/ }).waitFor();
  const before = await drawn(page);
  await page.reload();
  await page.getByText("12.5% of 840 is 105.").waitFor();
  assert.equal(await drawn(page), before);
});

scene("without a model the page shows the lines that add one", { offline: true }, async ({ person }) => {
  const page = await person.open();
  const help = page.getByRole("region", { name: "No model is configured" });
  await help.getByLabel("Vendor").selectOption("anthropic");
  await help.getByText('api_key = "${ANTHROPIC_API_KEY}"').waitFor();
});

scene("an answer is drawn while it is written, and stays the same after a reload in the middle", {}, async ({ model, person }) => {
  const middle = gate();
  model.answers({ reasoning: "Let me think." }, "# Colours\n\nThe first is *red*,", middle.opened, " the second is **blue**.\n\n- one\n- two\n");
  const page = await person.open();
  await say(page, "Which colours?");
  await page.getByText("The first is red,").waitFor();
  await page.getByRole("status").filter({ hasText: "Answering…" }).waitFor();
  await page.reload();
  await page.getByText("The first is red,").waitFor();
  middle.open();
  await page.getByText("the second is blue.").waitFor();
  await ended(page);
  assert.equal(await page.getByText("The first is red").count(), 1);
  assert.equal(await page.getByRole("log").getByRole("heading", { name: "Colours" }).count(), 1);
  assert.equal(await page.getByRole("log").getByRole("listitem").count(), 2);
  const before = await drawn(page);
  await page.reload();
  await page.getByText("the second is blue.").waitFor();
  assert.equal(await drawn(page), before);
});

scene("two tabs show the same turn", {}, async ({ model, person }) => {
  const middle = gate();
  model.answers("One ", middle.opened, "and two.");
  const first = await person.open();
  await say(first, "Count");
  await first.getByText("One", { exact: true }).waitFor();
  const second = await person.open(new URL(first.url()).hash);
  await second.getByText("One", { exact: true }).waitFor();
  middle.open();
  for (const tab of [first, second]) {
    await tab.getByText("One and two.").waitFor();
    await ended(tab);
  }
  assert.equal(await drawn(first), await drawn(second));
});

scene("an answer continues after the server was killed, and nothing is shown twice", {
  person: { allowed: /Failed to load resource: net::|ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET)/ },
}, async ({ model, server, person }) => {
  const never = gate();
  model.answers("The beginning ", never.opened).answers("The beginning and the end.");
  const page = await person.open();
  await say(page, "Go");
  await page.getByText("The beginning", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("a draft");
  await server.kill();
  await page.getByRole("status").filter({ hasText: "Connection lost" }).waitFor();
  await server.run();
  await page.getByText("The beginning and the end.").waitFor({ timeout: 30_000 });
  await ended(page);
  assert.equal(await page.getByText("The beginning").count(), 1);
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "a draft");
  never.open();
});

scene("a call runs when it is approved, and Enter in the message does not approve it", { configuration: ASKING }, async ({ model, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "6 * 7" } }).answers("It is 42.");
  const page = await person.open();
  await say(page, "What is 6 x 7?");
  const card = page.getByRole("group", { name: "May calculator run?" });
  await card.getByText('"expression": "6 * 7"').waitFor();
  await page.getByRole("status").filter({ hasText: "Waiting for your decision" }).waitFor();
  await page.getByRole("navigation").getByLabel("1 decision").waitFor();
  assert.equal(await card.evaluate((card) => card.contains(document.activeElement)), false, "nothing in the card has the focus");
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  for (const name of ["Approve once", "Approve in this session", "Always approve", "Edit", "Deny"]) {
    assert.equal(await card.getByRole("button", { name, exact: true }).count(), 1, name);
  }
  await page.reload();
  await card.getByRole("button", { name: "Approve once" }).click();
  await page.getByText("It is 42.").waitFor();
  await ended(page);
  assert.equal(await card.count(), 0);
  await page.getByText("calculator").click();
  await page.getByText("Result").waitFor();
});

scene("a denied call does not run, and the model reads the note", { configuration: ASKING }, async ({ model, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "1 / 3" } }).answers("Then not.");
  const page = await person.open();
  await say(page, "Divide");
  const card = page.getByRole("group", { name: "May calculator run?" });
  await card.getByRole("textbox", { name: "Note" }).fill("no divisions");
  await card.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Then not.").waitFor();
  await page.getByText("denied", { exact: true }).click();
  await page.getByText("no divisions").waitFor();
});

scene("a call runs with the arguments that the person wrote", { configuration: ASKING }, async ({ model, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "1 + 1" } }).answers("Done.");
  const page = await person.open();
  await say(page, "Add");
  const card = page.getByRole("group", { name: "May calculator run?" });
  await card.getByRole("button", { name: "Edit" }).click();
  await card.getByRole("textbox", { name: "Arguments as JSON" }).fill("{");
  await card.getByRole("button", { name: "Approve once" }).click();
  await card.getByText("This is not valid JSON.").waitFor();
  await card.getByRole("textbox", { name: "Arguments as JSON" }).fill('{"expression": "20 + 3"}');
  await card.getByRole("button", { name: "Approve once" }).click();
  await page.getByText("Done.").waitFor();
  await page.getByText("calculator").click();
  await page.getByText(/^23$/m).waitFor();
});

scene("a card that was decided in another tab is gone, and one decision counts", { configuration: ASKING }, async ({ model, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "2 + 2" } }).answers("Four.");
  const first = await person.open();
  await say(first, "Add");
  const name = "May calculator run?";
  await first.getByRole("group", { name }).waitFor();
  const second = await person.open("#/needs");
  await second.getByRole("group", { name }).getByRole("button", { name: "Approve once" }).click();
  await first.getByText("Four.").waitFor();
  await first.getByRole("group", { name }).waitFor({ state: "detached" });
  await second.getByText("No decisions are waiting.").waitFor();
});

const ASKS = `[[agents]]\nname = "assistant"\ntools = ["ask_user"]\n`;

scene("a question of a tool is answered with a choice or in words", { configuration: ASKS }, async ({ model, person }) => {
  model.answers({ name: "ask_user", arguments: { question: "Which colour?", choices: ["red", "blue"] } }).answers("Blue it is.");
  model.answers({ name: "ask_user", arguments: { question: "Why?" } }).answers("I see.");
  const page = await person.open();
  await say(page, "Paint");
  const card = page.getByRole("group", { name: "Question from ask_user" });
  await card.getByText("Which colour?").waitFor();
  await card.getByRole("button", { name: "blue" }).click();
  await page.getByText("Blue it is.").waitFor();
  await ended(page);
  await say(page, "Go on");
  await card.getByText("Why?").waitFor();
  await card.getByRole("textbox", { name: "Answer" }).fill("because");
  await card.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByText("I see.").waitFor();
});

scene("a stopped answer keeps what was written", {}, async ({ model, person }) => {
  const never = gate();
  model.answers("Some words ", never.opened);
  const page = await person.open();
  await say(page, "Write a lot");
  await page.getByText("Some words").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("status").filter({ hasText: "Stopped" }).waitFor();
  await page.getByText("Some words").waitFor();
  assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
  never.open();
});

scene("a message for a busy session waits, and can be withdrawn", {}, async ({ model, person }) => {
  const middle = gate();
  model.answers("First ", middle.opened, "answer.").answers("Second answer.");
  const page = await person.open();
  await say(page, "one");
  await page.getByText("First", { exact: true }).waitFor();
  await say(page, "withdrawn");
  await page.getByRole("listitem").filter({ hasText: "withdrawn" }).getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("listitem").filter({ hasText: "withdrawn" }).waitFor({ state: "detached" });
  await say(page, "two");
  await page.getByRole("listitem").filter({ hasText: "two" }).waitFor();
  middle.open();
  await page.getByText("Second answer.").waitFor();
  await page.getByText("First answer.").waitFor();
});

scene("what a model writes is text: nothing of it runs, loads or leads elsewhere", {}, async ({ model, person }) => {
  const hostile = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1)) [b](data:text/html,x) [c](https://example.com/\u202Egnp.exe)",
    "![picture](https://example.com/pixel.png?secret)",
    "[d][late]",
    "```html\n<b onclick=alert(1)>\n```",
    "<form action=https://example.com><button>Approve once</button></form>",
    "| <svg onload=alert(1)> | b |\n|---|---|\n| `<i>` | 2 |",
    "[late]: vbscript:alert(1)",
  ].join("\n\n");
  model.answers(...hostile.match(/.{1,7}/gsu));
  const page = await person.open();
  await say(page, "Attack");
  await ended(page);
  const log = page.getByRole("log");
  await log.getByText("<script>alert(1)</script>").waitFor();
  assert.equal(await log.locator("script, img, form, svg:not(.edit-turn > svg), iframe, [onclick], [onerror]").count(), 0);
  const addresses = await log.locator(".markdown").getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  assert.deepEqual(addresses, ["https://example.com/gnp.exe", "https://example.com/pixel.png?secret"]);
  await log.getByRole("link", { name: "Image from example.com: picture" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve once" }).count(), 0);
});

scene("a session is renamed, found, switched to and deleted", { offline: true }, async ({ person }) => {
  const page = await person.open();
  for (const text of ["Say apple", "Say pear"]) {
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    await say(page, text);
    await ended(page);
  }
  await page.keyboard.press("Control+k");
  const switcher = page.getByRole("dialog", { name: "Sessions" });
  await switcher.getByRole("searchbox").fill("apple");
  await switcher.getByRole("link", { name: /apple/ }).click();
  await switcher.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Say apple" }).waitFor();
  await page.getByRole("link", { name: "All sessions" }).click();
  await page.getByRole("button", { name: "Rename: Say pear" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Fruit");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Delete: Fruit" }).click();
  await page.getByRole("button", { name: "Delete: Fruit" }).waitFor({ state: "detached" });
});

scene("a draft survives a reload", { offline: true }, async ({ person }) => {
  const page = await person.open();
  await page.getByRole("textbox", { name: "Message" }).fill("not yet\nsent");
  await page.reload();
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "not yet\nsent");
});

for (const colorScheme of ["light", "dark"]) {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    const name = `people with assistive technology can use it: ${colorScheme}, ${viewport.width} pixels`;
    scene(name, { configuration: ASKING, person: { colorScheme, viewport } }, async ({ model, person }) => {
      const table = "| a | b |\n|---|---|\n| 1 | 2 |\n";
      model.answers({ reasoning: "Hm." }, `# Title\n\nText with [a link](https://example.com).\n\n\`\`\`js\nlet a = 1;\n\`\`\`\n\n${table}`);
      model.answers({ name: "calculator", arguments: { expression: "1" } });
      const page = await person.open();
      await page.getByRole("textbox", { name: "Message" }).waitFor();
      await accessible(page, "new session");
      await say(page, "Hello");
      await ended(page);
      await accessible(page, "answer");
      await say(page, "Calculate");
      await page.getByRole("button", { name: "Approve once" }).and(page.locator(":enabled")).waitFor();
      await accessible(page, "approval");
      const widest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("main *")].map((element) => element.getBoundingClientRect().right)));
      assert.ok(widest <= viewport.width, `something reaches to ${widest}`);
      for (const screen of ["sessions", "needs", "settings"]) {
        await page.goto(`${person.url}#/${screen}`);
        await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
        await accessible(page, screen);
      }
    });
  }
}

scene("the page speaks German", { offline: true, person: { locale: "de-DE" } }, async ({ person }) => {
  const page = await person.open();
  await page.getByRole("heading", { name: "Was kann ich für Sie tun?" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
});
