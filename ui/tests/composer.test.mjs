// The next message: its files, its choices, its commands, and that it makes one turn.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, ended, say, takesFiles, until } from "./browser.mjs";
import { LOOKS, read, requestedTurns, scene } from "./scene.mjs";
import { gate } from "./server.mjs";

after(close);

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC",
  "base64",
);
const picture = (name = "picture.png") => ({ name, mimeType: "image/png", buffer: PNG });
const text = (name, content = "hello") => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

/** The browser reports requests that are cut or refused. */
const CUT = { allowed: /net::ERR_|Failed to load resource/ };

const field = (page) => page.getByRole("textbox", { name: "Message" });
const chips = (page) => page.getByRole("list", { name: "Files of the message" }).getByRole("listitem");
const send = (page) => page.getByRole("button", { name: "Send", exact: true });

/** Chooses files, as after a click on "Attach files". */
async function pick(page, ...files) {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(files);
}

/** Waits until all files are with the server. */
async function uploaded(page, count) {
  await page.waitForFunction((count) => document.querySelectorAll('.file[aria-busy="false"]').length === count, count);
}

/** Waits until the browser keeps so many files with their ids at the server, as a reload finds them. */
async function kept(page, count) {
  await page.waitForFunction(async (count) => {
    const answered = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    // Opening it before the page has made it would make it empty.
    if (!(await indexedDB.databases()).some(({ name }) => name === "turnkit")) return false;
    const database = await answered(indexedDB.open("turnkit"));
    const files = await answered(database.transaction("files").objectStore("files").getAll());
    database.close();
    return files.filter(({ file }) => file).length === count;
  }, count);
}

/** Pastes or drops files and texts. */
function transfer(page, kind, { files = [], characters = 0 }) {
  return page.evaluate(
    ({ kind, files, characters }) => {
      const data = new DataTransfer();
      for (const { name, type = "", content = "", beginning = "", size = 0 } of files) {
        // One character of a beginning is one byte.
        const bytes = Uint8Array.from(beginning, (character) => character.charCodeAt(0));
        const rest = new Uint8Array(Math.max(0, size - bytes.length)).fill(32);
        data.items.add(new File([bytes, rest, content], name, { type }));
      }
      if (characters > 0) data.setData("text/plain", "x".repeat(characters));
      const target = kind === "paste" ? document.getElementById("message") : document.body;
      const options = { bubbles: true, cancelable: true };
      const event =
        kind === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: data })
          : new DragEvent(kind, { ...options, dataTransfer: data });
      return !target.dispatchEvent(event);
    },
    { kind, files, characters },
  );
}

scene(
  "files that are picked, pasted and dropped are there after a reload, and belong to the message",
  {},
  async ({ model, person }) => {
    model.answers("I see.");
    const page = await person.open();
    const turns = requestedTurns(page);
    await pick(page, picture());
    assert.ok(await transfer(page, "paste", { files: [{ name: "pasted.txt", type: "text/plain", content: "one" }] }));
    assert.ok(
      await transfer(page, "dragover", { files: [{ name: "dropped.txt", type: "text/plain", content: "two" }] }),
    );
    await page.getByText("Drop files here").waitFor();
    assert.ok(await transfer(page, "drop", { files: [{ name: "dropped.txt", type: "text/plain", content: "two" }] }));
    await uploaded(page, 3);
    await page.getByText("Drop files here").waitFor({ state: "detached" });
    await kept(page, 3);
    await field(page).fill("Look");
    await page.reload();
    await uploaded(page, 3);
    assert.deepEqual(await chips(page).locator(".file-name").allTextContents(), [
      "picture.png",
      "pasted.txt",
      "dropped.txt",
    ]);
    assert.match(await chips(page).locator("img").getAttribute("src"), /^blob:/);
    assert.equal(await field(page).inputValue(), "Look");
    await page.getByRole("button", { name: "Remove pasted.txt" }).click();
    await send(page).click();
    await page.getByText("I see.").waitFor();
    assert.equal(turns.length, 1);
    assert.equal(turns[0].files.length, 2);
    await page.getByRole("log").getByText("dropped.txt").waitFor();
    assert.equal(await chips(page).count(), 0);
    await page.reload();
    await page.getByText("I see.").waitFor();
    await page.getByRole("button", { name: "Options" }).waitFor();
    assert.equal(await chips(page).count(), 0, "they are not offered again");
  },
);

const MIB = 1024 * 1024;

/** Names, beginnings and sizes of files, and why they are refused. */
const REFUSED = [
  ["photo.heic", "\0\0\0\x18ftypheic", 100, /HEIC/],
  ["drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", 0, /SVG/],
  ["archive.zip", "PK\x03\x04\0\0\0\0", 100, /this kind of file/],
  ["film.bin", "\0\0\0\x18ftypmp42", 60 * MIB, /this kind of file/],
  ["empty.txt", "", 0, /empty/],
  ["long.txt", "a long text", 300 * 1024, /a text can be at most/],
  ["latin.txt", "\xe9t\xe9 ", 0, /this kind of file/],
  ["large.png", "\x89PNG\r\n\x1a\n", 6 * MIB, /an image can be at most/],
  ["large.pdf", "%PDF-1.7\n", 60 * MIB, /a PDF can be at most/],
];

scene("files that models do not read are refused with a sentence, before they are sent", {}, async ({ person }) => {
  const page = await person.open();
  let uploads = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/files")) uploads += 1;
  });
  await takesFiles(page);
  for (const [name, beginning, size, reason] of REFUSED) {
    await transfer(page, "drop", { files: [{ name, beginning, size }] });
    const chip = chips(page).filter({ hasText: name });
    await chip.getByRole("alert").filter({ hasText: reason }).waitFor();
  }
  assert.equal(uploads, 0);
  await field(page).fill("They do not keep the message back");
  assert.ok(await send(page).isEnabled());
  await page.getByRole("button", { name: "Remove photo.heic" }).click();
  assert.equal(await chips(page).count(), REFUSED.length - 1);
});

scene("a name that pretends is shown as what it is", {}, async ({ person }) => {
  const page = await person.open();
  await takesFiles(page);
  // The browser itself would take the folders away from a file that is picked.
  await transfer(page, "drop", {
    files: [{ name: "..\\..\\etc/passwd\u202Egnp.txt", type: "text/plain", content: "x" }],
  });
  await uploaded(page, 1);
  const [name] = await chips(page).locator(".file-name").allTextContents();
  assert.ok(!/[/\\\u202e]/.test(name), name);
  assert.match(name, /gnp\.txt$/);
});

scene("a message has at most 20 files", {}, async ({ person }) => {
  const page = await person.open();
  await pick(page, ...Array.from({ length: 21 }, (_, index) => text(`${index}.txt`)));
  await chips(page).filter({ hasText: "20.txt" }).getByText("A message can have at most 20 files.").waitFor();
  await uploaded(page, 21);
});

scene("an upload that failed is repeated, and the message waits for it", { person: CUT }, async ({ model, person }) => {
  model.answers("Read.");
  const page = await person.open();
  await page.route("**/api/v1/files?*", (route) => route.abort(), { times: 1 });
  await pick(page, text("notes.txt"));
  await page.getByText("The upload failed").waitFor();
  await field(page).fill("Read it");
  // The message waits for its files as soon as the page has asked the browser for those that an earlier page kept.
  await send(page).and(page.locator(":disabled")).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await uploaded(page, 1);
  await send(page).click();
  await page.getByText("Read.").waitFor();
});

scene("a text of 30 MB is not pasted, and the page stays alive", {}, async ({ person }) => {
  const page = await person.open();
  await page.getByRole("button", { name: "Options" }).waitFor();
  await field(page).fill("before");
  assert.ok(await transfer(page, "paste", { characters: 30 * 1024 * 1024 }));
  await page.getByRole("alert").filter({ hasText: "larger than 256 KiB" }).waitFor();
  await field(page).press("End");
  await page.keyboard.type(" and after");
  assert.equal(await field(page).inputValue(), "before and after");
});

scene("without the browser's storage, files and messages are sent all the same", {}, async ({ model, person }) => {
  model.answers("Read.");
  const page = await person.open();
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    Storage.prototype.getItem = refuse;
    Storage.prototype.setItem = refuse;
    IDBFactory.prototype.open = refuse;
  });
  await page.reload();
  await pick(page, text("notes.txt"));
  await uploaded(page, 1);
  await say(page, "Read it");
  await page.getByText("Read.").waitFor();
});

scene(
  "signing out removes the files that were not sent",
  {
    configuration: '[auth]\nmode = "api_key"\n',
    person: { allowed: /status of 401/ },
  },
  async ({ server, person }) => {
    const key = await server.command("keys", "create", "page");
    const page = await person.open();
    const enter = async () => {
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await enter();
    await pick(page, text("secret.txt"));
    await uploaded(page, 1);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.waitForFunction(async () => (await indexedDB.databases()).length === 0);
    await enter();
    await page.getByRole("button", { name: "Options" }).waitFor();
    assert.equal(await chips(page).count(), 0);
  },
);

const AGENTS = ["assistant", "writer", "secret"].map((name) => `[[agents]]\nname = "${name}"\n`).join("\n");

scene(
  "a key that is limited to agents offers these",
  { configuration: `[auth]\nmode = "api_key"\n\n${AGENTS}`, person: { allowed: /status of 401/ } },
  async ({ server, person }) => {
    const key = await server.command("keys", "create", "page", "--scope", "agent:assistant", "--scope", "agent:writer");
    const page = await person.open();
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Options" }).click();
    const agents = page.getByRole("dialog", { name: "Options" }).getByLabel("Agent");
    await agents.waitFor();
    assert.deepEqual(await agents.locator("option").allTextContents(), ["Default", "assistant", "writer"]);
  },
);

scene(
  "choices for a session are sent with its messages, and shown until they are removed",
  { configuration: AGENTS },
  async ({ model, person }) => {
    model.answers("One.").answers("Two.").answers("Three.");
    const page = await person.open();
    const turns = requestedTurns(page);
    const button = page.getByRole("button", { name: "Options" });
    await button.click();
    const panel = page.getByRole("dialog", { name: "Options" });
    await panel.getByLabel("Agent").selectOption("writer");
    assert.deepEqual(await panel.getByLabel("Agent").locator("option").allTextContents(), [
      "Default",
      "assistant",
      "writer",
      "secret",
    ]);
    await panel.getByLabel("Model").selectOption("scripted");
    await panel.getByLabel("Thinking").selectOption("high");
    await panel.getByLabel("Tools").selectOption("none");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    assert.ok(await button.evaluate((button) => button === document.activeElement), "the focus returns");
    await say(page, "one");
    await page.getByText("One.").waitFor();
    const { agent, route, params, tools } = turns[0];
    assert.deepEqual(
      { agent, route, params, tools },
      { agent: "writer", route: { model: "scripted" }, params: { thinking: "high" }, tools: "none" },
    );
    await page.reload();
    await page.getByRole("button", { name: "Remove: No tools" }).click();
    await page.getByRole("button", { name: "Remove: writer" }).click();
    await say(page, "two");
    await page.getByText("Two.").waitFor();
    assert.equal(turns[1].tools, undefined);
    assert.equal(turns[1].agent, undefined);
    assert.deepEqual(turns[1].params, { thinking: "high" });
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    assert.equal(
      await page.getByRole("button", { name: /^Remove:/ }).count(),
      0,
      "another session has its own choices",
    );
  },
);

scene("a server that lists no agents and models offers no choice of them", { person: CUT }, async ({ person }) => {
  const page = await person.open();
  for (const path of ["agents", "models"]) {
    await page.route(`**/api/v1/${path}?*`, (route) =>
      route.fulfill({ status: 404, json: { error: { code: "not_found", message: "no" } } }),
    );
  }
  const answered = page.waitForResponse("**/api/v1/models?*");
  await page.getByRole("button", { name: "Options" }).click();
  await answered;
  const panel = page.getByRole("dialog", { name: "Options" });
  await panel.getByLabel("Thinking").waitFor();
  assert.equal(await panel.getByRole("combobox").count(), 2);
});

scene("while a turn runs, Enter queues and Ctrl-Enter steers", {}, async ({ model, person }) => {
  const middle = gate();
  model.answers("First ", middle.opened, "answer.").answers("Second.").answers("Third.");
  const page = await person.open();
  const turns = requestedTurns(page);
  await say(page, "one");
  await page.getByText("First", { exact: true }).waitFor();
  await say(page, "two");
  const queue = page.getByRole("list", { name: "Waiting messages" });
  await queue.getByRole("listitem").filter({ hasText: "two" }).getByText("queued").waitFor();
  await field(page).fill("three");
  await page.keyboard.press("Control+Enter");
  await queue.getByRole("listitem").filter({ hasText: "three" }).getByText("steers").waitFor();
  await field(page).fill("four");
  await page.getByRole("button", { name: "Steer" }).click();
  await queue.getByRole("listitem").filter({ hasText: "four" }).getByText("steers").waitFor();
  assert.deepEqual(
    turns.map(({ on_busy }) => on_busy),
    [undefined, "enqueue", "steer", "steer"],
  );
  await queue.getByRole("listitem").filter({ hasText: "four" }).getByRole("button", { name: "Withdraw" }).click();
  await queue.getByRole("listitem").filter({ hasText: "four" }).waitFor({ state: "detached" });
  middle.open();
  await page.getByText("Third.").waitFor();
});

scene("a message that could not be withdrawn still waits, and the page says why", { person: CUT }, async ({ model, person }) => {
  const middle = gate();
  model.answers("First ", middle.opened, "answer.").answers("Second.");
  const page = await person.open();
  await say(page, "one");
  await page.getByText("First", { exact: true }).waitFor();
  await say(page, "two");
  const waiting = page.getByRole("list", { name: "Waiting messages" }).getByRole("listitem");
  await page.route("**/cancel", (route) => route.abort(), { times: 1 });
  await waiting.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("alert").filter({ hasText: "That did not work" }).waitFor();
  assert.equal(await waiting.count(), 1);
  await waiting.getByRole("button", { name: "Withdraw" }).click();
  await waiting.waitFor({ state: "detached" });
  middle.open();
  await ended(page);
});

scene("commands are listed and run with the keyboard", {}, async ({ model, person }) => {
  model.answers("An answer.").answers("A summary.");
  const page = await person.open();
  await page.getByRole("button", { name: "Options" }).waitFor();
  const list = page.getByRole("listbox", { name: "Commands" });
  await field(page).pressSequentially("/");
  assert.deepEqual(await list.getByRole("option").locator("code").allTextContents(), ["/help", "/new"]);
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  assert.equal(await field(page).inputValue(), "/");
  await field(page).fill("");
  await say(page, "Hello");
  await page.getByText("An answer.").waitFor();
  await ended(page);
  await field(page).pressSequentially("/");
  await list.getByRole("option", { name: "/compact" }).and(page.locator('[aria-selected="true"]')).waitFor();
  await page.keyboard.press("ArrowUp");
  const last = list.getByRole("option", { name: "/rename" });
  assert.equal(await last.getAttribute("aria-selected"), "true");
  assert.equal(await field(page).getAttribute("aria-activedescendant"), await last.getAttribute("id"));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Rename session" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Renamed");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /^Renamed/ })
    .waitFor();
  assert.equal(await field(page).inputValue(), "");
  const download = page.waitForEvent("download");
  await field(page).pressSequentially("/ex");
  await page.keyboard.press("Tab");
  assert.match((await download).suggestedFilename(), /\.md$/);
  const compacted = page.waitForRequest(/\/compact$/);
  await field(page).pressSequentially("/compact");
  await page.keyboard.press("Enter");
  await compacted;
  await field(page).pressSequentially("/help");
  await list.getByRole("option").click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await field(page).pressSequentially("/new");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
});

scene(
  "a request whose response was lost makes one turn, also after a reload",
  { person: CUT },
  async ({ model, server, person }) => {
    model.answers("Once.").answers("Twice.");
    const page = await person.open();
    const turns = requestedTurns(page);
    // The server has the request, and the browser never hears of it.
    await page.route(
      "**/api/v1/turns",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 2 },
    );
    await pick(page, text("notes.txt"));
    await uploaded(page, 1);
    await kept(page, 1);
    await say(page, "order a pizza");
    await page.getByRole("alert").filter({ hasText: "That did not work" }).waitFor();
    const again = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/api/v1/turns"));
    await field(page).press("Enter");
    await again;
    await page.reload();
    await uploaded(page, 1);
    assert.equal(await field(page).inputValue(), "order a pizza");
    await field(page).press("Enter");
    await page.getByText("Once.").waitFor();
    const { data } = await read(server, "turns");
    assert.equal(data.length, 1);
    assert.equal((await read(server, "sessions")).data.length, 1);
    assert.equal(new Set(turns.map((body) => JSON.stringify(body))).size, 1);
    assert.equal(await page.getByText("Twice.").count(), 0);
  },
);

scene("two quick presses of Enter make one turn", {}, async ({ model, server, person }) => {
  model.answers("Once.").answers("Twice.");
  const page = await person.open();
  await field(page).fill("order a pizza");
  await page.evaluate(() => {
    const press = () => new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
    document.getElementById("message").dispatchEvent(press());
    document.getElementById("message").dispatchEvent(press());
  });
  await page.getByText("Once.").waitFor();
  await ended(page);
  assert.equal((await read(server, "turns")).data.length, 1);
});

scene(
  "a message that could not leave is sent when the network is back",
  { person: CUT },
  async ({ model, server, person }) => {
    model.answers("Here.");
    const page = await person.open();
    await page.getByRole("button", { name: "Options" }).waitFor();
    await page.context().setOffline(true);
    await say(page, "hello?");
    await page.getByRole("alert").filter({ hasText: "That did not work" }).waitFor();
    await page.context().setOffline(false);
    await field(page).press("Enter");
    await page.getByText("Here.").waitFor();
    assert.equal((await read(server, "turns")).data.length, 1);
  },
);

scene(
  "a message that was refused is another request when it is sent again",
  { person: CUT },
  async ({ model, person }) => {
    model.answers("Accepted.");
    const page = await person.open();
    const keys = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/v1/turns")) keys.push(request.headers()["idempotency-key"]);
    });
    const refusal = { status: 429, json: { error: { code: "queue_full", message: "too many wait" } } };
    await page.route("**/api/v1/turns", (route) => route.fulfill(refusal), { times: 1 });
    await say(page, "hello");
    await page.getByRole("alert").filter({ hasText: "too many wait" }).waitFor();
    await field(page).press("Enter");
    await page.getByText("Accepted.").waitFor();
    assert.equal(new Set(keys).size, 2);
  },
);

for (const look of LOOKS) {
  const name = `people with assistive technology can write messages: ${look.colorScheme}, ${look.viewport.width} pixels`;
  scene(name, { person: look }, async ({ model, person }) => {
    const middle = gate();
    model.answers("First ", middle.opened, "answer.");
    const page = await person.open();
    await pick(page, picture(), text(`${"a long name ".repeat(6)}.txt`), {
      ...text("drawing.svg"),
      mimeType: "image/svg+xml",
    });
    await uploaded(page, 3);
    await accessible(page, "files");
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("dialog").getByLabel("Thinking").selectOption("max");
    await page.getByRole("dialog").getByLabel("Model").selectOption("scripted");
    await accessible(page, "choices");
    await page.keyboard.press("Escape");
    await field(page).fill("one");
    await transfer(page, "dragover", { files: [{ name: "a.txt", type: "text/plain", content: "x" }] });
    await page.getByText("Drop files here").waitFor();
    await accessible(page, "files over the page");
    await transfer(page, "drop", {});
    await field(page).press("Enter");
    await page.getByText("First", { exact: true }).waitFor();
    await say(page, "two");
    await page.getByRole("list", { name: "Waiting messages" }).getByText("two").waitFor();
    await field(page).fill("/");
    await page.getByRole("listbox").waitFor();
    await accessible(page, "commands, and a message that waits");
    const widest = await page.evaluate(() =>
      Math.max(...[...document.querySelectorAll("main *")].map((element) => element.getBoundingClientRect().right)),
    );
    assert.ok(widest <= look.viewport.width, `something reaches to ${widest}`);
    middle.open();
  });
}

scene("the field is as high as its text", { offline: true }, async ({ person }) => {
  const page = await person.open();
  await page.getByRole("button", { name: "Options" }).waitFor();
  const height = () => field(page).evaluate(({ offsetHeight }) => offsetHeight);
  const one = await height();
  await field(page).fill("one\ntwo\nthree\nfour");
  await until(height, (now) => now > one * 2);
  await page.reload();
  await until(height, (now) => now > one * 2);
  await field(page).fill("");
  await until(height, (now) => now === one);
});
