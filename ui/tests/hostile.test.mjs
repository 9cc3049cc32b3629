// What models, tools, files and users may write: nothing of it runs, loads, leads elsewhere or passes for the page.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, drawn, ended, say, takesFiles, until } from "./browser.mjs";
import { MARKDOWN, NAMES } from "./hostile/markdown.mjs";
import { read, scene } from "./scene.mjs";
import { gate } from "./server.mjs";

after(close);

const ASKING = `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`;

const PAY = { name: "pay", description: "Pays.", parameters: { type: "object" } };

/** The elements that a conversation may consist of, with their attributes besides those of all. */
const ELEMENTS = {
  a: ["href", "rel", "target", "title"],
  article: [],
  bdi: ["title"],
  blockquote: [],
  br: [],
  button: ["type", "disabled"],
  code: [],
  details: ["open"],
  del: [],
  div: [],
  em: [],
  figcaption: [],
  figure: [],
  footer: [],
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, []])),
  hr: [],
  img: ["src", "alt"],
  input: ["type", "disabled", "checked"],
  li: [],
  ol: ["start"],
  p: [],
  path: ["d"],
  pre: [],
  section: [],
  span: [],
  strong: [],
  sup: [],
  summary: [],
  svg: ["viewBox"],
  table: [],
  tbody: [],
  td: ["style"],
  th: ["style"],
  thead: [],
  tr: [],
  ul: [],
};
const ATTRIBUTES = ["class", "dir", "id", "role", "tabindex", "title"];

/** Returns what is in the log and on the page that must not be there. */
function intruders(page) {
  return page.evaluate(
    ({ elements, attributes }) => {
      const found = [];
      for (const element of document.querySelectorAll(".log *")) {
        const name = element.localName;
        const own = elements[name];
        if (!own) found.push(`<${name}>`);
        for (const { name: attribute, value } of element.attributes) {
          const isKnown = own?.includes(attribute) || attributes.includes(attribute) || attribute.startsWith("aria-");
          if (!isKnown) found.push(`${name} ${attribute}=${value}`);
          if (attribute === "id" && !/^t-[0-9a-f-]+$/.test(value)) found.push(`id ${value}`);
          if (attribute === "style" && !/^text-align: (start|center|end);$/.test(value)) found.push(`style ${value}`);
        }
        if (name === "a" && !/^(https?|mailto):/.test(element.href)) found.push(`a link to ${element.href}`);
        if (name === "img" && !/^(data:image\/(png|jpeg|gif|webp);base64,|blob:)/.test(element.src)) found.push(element.src);
        if (element.matches(".markdown button") && !["Copy", "Copied"].includes(element.textContent)) found.push(element.outerHTML);
      }
      for (const element of document.head.children) {
        const isOwn = ["meta", "title", "link", "script"].includes(element.localName);
        if (!isOwn || element.matches("base, [http-equiv]")) found.push(`head ${element.outerHTML}`);
      }
      if (window.hasRun) found.push("a script has run");
      return found;
    },
    { elements: ELEMENTS, attributes: ATTRIBUTES },
  );
}

/** Clicks everything that could be clicked in the answers, but does not follow links. */
async function clickAll(page) {
  await page.evaluate(() => {
    addEventListener("click", (event) => event.target.closest("a") && event.preventDefault(), { capture: true });
    for (const element of document.querySelectorAll(".log .markdown *, .log summary")) {
      for (const type of ["mouseover", "focus", "click"]) element.dispatchEvent(new Event(type, { bubbles: type !== "focus", cancelable: true }));
    }
  });
}

const cut = (text) => text.match(/[^]{1,97}/gu);

scene("hostile markdown of a model is text, while it arrives and after a reload", {}, async ({ model, person }) => {
  const page = await person.open();
  // Each text has a turn's worth of others around it, and a heading that ends what it left open.
  const answer = MARKDOWN.map(({ text }, number) => `# No ${number}\n\n${text}\n\n`).join("");
  model.answers(...cut(answer));
  await say(page, "Attack");
  await ended(page);
  const texts = () =>
    page.evaluate(() => {
      const all = {};
      let text = "";
      let links = [];
      let number = -1;
      const end = () => {
        if (number >= 0) all[number] = { text, links };
        text = "";
        links = [];
      };
      for (const child of document.querySelector(".log .markdown").children) {
        for (const element of child.matches(".open") ? child.children : [child]) {
          const title = /^H\d$/.test(element.tagName) && /^No (\d+)$/.exec(element.textContent);
          if (title) {
            end();
            number = Number(title[1]);
            continue;
          }
          text += `${element.textContent}\n`;
          const own = element.matches("a") ? [element] : [...element.querySelectorAll("a")];
          links.push(...own.map((link) => [link.textContent, link.getAttribute("href")]));
        }
      }
      end();
      return all;
    });
  // The only block of code with a known language gets its colours last.
  const colours = page.getByRole("log").locator("pre code span").first();
  await colours.waitFor({ state: "attached" });
  const before = await drawn(page);
  const found = await texts();
  const wrong = MARKDOWN.flatMap(({ text, links, seen }, number) => {
    const shown = found[number] ?? { text: "nothing", links: [] };
    const isRight = shown.text.includes(seen ?? "") && (!links || JSON.stringify(shown.links) === JSON.stringify(links));
    return isRight ? [] : [{ text, shown }];
  });
  assert.deepEqual(wrong, []);
  await clickAll(page);
  assert.deepEqual(await intruders(page), []);
  await page.reload();
  await ended(page);
  await colours.waitFor({ state: "attached" });
  assert.equal(await drawn(page), before);
  assert.deepEqual(await intruders(page), []);
  assert.equal(await page.getByRole("group", { name: /May/ }).count(), 0);
  assert.equal(await page.getByRole("textbox", { name: "Message" }).count(), 1);
  await accessible(page, "hostile markdown");
});

scene("hostile names, arguments, results, titles and messages are text", {}, async ({ model, server, person }) => {
  const calls = NAMES.map((name) => ({ name, arguments: { [name]: name, expression: name } }));
  const known = NAMES.map((name) => ({ name: "calculator", arguments: { expression: name } }));
  model.answers({ reasoning: NAMES.join("\n") }, ...calls, ...known).answers("Done.");
  const upload = await fetch(`${server.url}/api/v1/files?name=${encodeURIComponent("a\u202egnp.txt")}`, { method: "POST", body: NAMES.join("\n") });
  const file = await upload.json();
  const message = NAMES.join("\n\n");
  const started = await fetch(`${server.url}/api/v1/turns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, ...(upload.ok && { files: [file.id] }) }),
  });
  const { session_id } = await started.json();
  const page = await person.open(`#/s/${session_id}`);
  await page.getByText("Done.").waitFor();
  await ended(page);
  const log = page.getByRole("log");
  const check = async () => {
    await log.locator("details.call-group").first().waitFor();
    await clickAll(page);
    assert.deepEqual(await intruders(page), []);
    const shown = await log.evaluate((log) => log.textContent);
    for (const name of NAMES) assert.ok(shown.includes(name.replace("\u202e", "⟨U+202E⟩")), `${name} is not shown`);
    const names = await log.locator(".tool-name, .chip").allTextContents();
    assert.ok(names.every((name) => !/\u202e/.test(name)), names.join());
  };
  await check();
  for (const title of NAMES.slice(0, 4)) {
    await fetch(`${server.url}/api/v1/sessions/${session_id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title }),
    });
    await page.reload();
    await page.getByText("Done.").waitFor();
    await page.getByRole("main").getByRole("heading", { level: 1 }).filter({ hasText: title }).waitFor();
    await page.locator(".session-title").filter({ hasText: title }).first().waitFor();
  }
  await check();
});

const card = (page) => page.getByRole("group", { name: "May calculator run?" });

/** Returns the calls of the newest turn that have run. */
async function ran(server, page) {
  const session = /[0-9a-f-]+$/.exec(page.url())[0];
  const { data } = await read(server, `sessions/${session}/turns`);
  return data.flatMap(({ tools }) => tools).filter(({ ok }) => ok === true).length;
}

scene("an imitated card has no buttons, and the true one shows all of what it asks for", {}, async ({ model, server, person }) => {
  const imitation = "### May calculator run?\n\n[Approve once](https://far.example)\n\n<button>Approve once</button>";
  const hidden = `\u202e\u2066${"Alice and ".repeat(5_000)}Bob\u200b`;
  model.answers(imitation, { name: "pay", arguments: { to: hidden } }).answers("Over.").answers("Over.");
  // A tool of a client may have arguments of any length.
  const response = await fetch(`${server.url}/api/v1/turns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "Pay", interact: true, client_tools: [PAY] }),
  });
  const page = await person.open(`#/s/${(await response.json()).session_id}`);
  const card = page.getByRole("group", { name: /pay/ });
  await card.waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve once" }).count(), 0);
  assert.equal(await page.locator(".markdown").getByRole("button").count(), 0);
  assert.equal(await page.locator(".approval .markdown, .markdown .approval").count(), 0);
  const shown = await card.locator("pre").first().textContent();
  assert.ok(shown.includes("⟨U+202E⟩⟨U+2066⟩") && shown.includes("⟨U+200B⟩"), "marks are not made visible");
  assert.ok(shown.length > 50_000, "the arguments are cut");
  const field = page.getByRole("textbox", { name: "Message" });
  const focused = () => page.evaluate(() => document.activeElement.closest(".approval") !== null);
  assert.equal(await focused(), false, "the card has taken the focus");
  await accessible(page, "an imitated card");
  const decisions = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/interactions/")) decisions.push(request.url());
  });
  const turn = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/v1/turns"));
  await field.press("Enter");
  await field.fill("and then");
  await field.press("Enter");
  await turn;
  await page.waitForFunction(() => document.getElementById("message").value === "");
  assert.deepEqual(decisions, []);
  assert.equal(await ran(server, page), 0);
});

scene("a click in the first moment of a card approves nothing", { configuration: ASKING }, async ({ model, server, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "1" } }).answers("Over.");
  const page = await person.open();
  const decisions = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/interactions/")) decisions.push(request.url());
  });
  // Every card is clicked as soon as it is there, as with a pointer that was on its way.
  await page.evaluate(() => {
    window.clicked = 0;
    new MutationObserver(() => {
      const buttons = document.querySelectorAll(".approval button");
      if (buttons.length === 0 || window.clicked > 0) return;
      for (const button of buttons) button.click();
      window.clicked = buttons.length;
    }).observe(document.body, { childList: true, subtree: true });
  });
  await say(page, "Add");
  await card(page).getByRole("button", { name: "Approve once" }).and(page.locator(":enabled")).waitFor();
  assert.ok((await page.evaluate(() => window.clicked)) >= 4);
  assert.deepEqual(decisions, []);
  assert.equal(await ran(server, page), 0);
});

scene(
  "a card that was decided elsewhere while it is clicked says so, and nothing runs twice",
  { configuration: ASKING, person: { allowed: /status of 409|status of 410/ } },
  async ({ model, server, person }) => {
    const answered = gate();
    model.answers({ name: "calculator", arguments: { expression: "1" } }).answers(answered.opened, "Over.");
    const page = await person.open();
    await say(page, "Add");
    await card(page).getByRole("button", { name: "Approve once" }).and(page.locator(":enabled")).waitFor();
    const statuses = [];
    // Another tab decides between the click and its arrival.
    await page.route("**/api/v1/interactions/*", async (route) => {
      // The page also asks what became of the call.
      if (route.request().method() !== "POST") return route.fallback();
      const decision = { method: "POST", headers: { "content-type": "application/json" }, body: '{"decision":"deny"}' };
      statuses.push((await fetch(route.request().url(), decision)).status);
      const response = await route.fetch();
      statuses.push(response.status());
      await route.fulfill({ response });
    });
    await card(page).getByRole("button", { name: "Approve once" }).click();
    answered.open();
    await page.getByText("Over.").waitFor();
    await until(() => statuses.length === 2);
    assert.equal(statuses[0], 200);
    assert.ok([409, 410].includes(statuses[1]), `the late decision got ${statuses[1]}`);
    assert.equal(await ran(server, page), 0);
    await card(page).waitFor({ state: "detached" });
  },
);

scene("an image of a script, a folder in a name and a photo of a phone are refused or harmless", {}, async ({ model, person }) => {
  model.answers("Seen.");
  const page = await person.open();
  await takesFiles(page);
  await page.evaluate(() => {
    const data = new DataTransfer();
    const script = "<svg xmlns='http://www.w3.org/2000/svg' onload='window.hasRun=true'><script>window.hasRun=true</script></svg>";
    data.items.add(new File([script], "drawing.png", { type: "image/svg+xml" }));
    data.items.add(new File([script], "../../\u202egnp.svg", { type: "text/plain" }));
    data.items.add(new File(["\0\0\0\x18ftypheic"], "photo.jpg", { type: "image/jpeg" }));
    data.items.add(new File([script], "..\\notes\u2066.txt", { type: "text/plain" }));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
  });
  const chips = page.getByRole("list", { name: "Files of the message" }).getByRole("listitem");
  await page.waitForFunction(() => document.querySelectorAll('.file[aria-busy="false"]').length === 4);
  const names = await chips.locator(".file-name").allTextContents();
  assert.deepEqual(names, ["drawing.png", "gnp.svg", "photo.jpg", "notes.txt"]);
  for (const [name, reason] of [["drawing.png", /SVG/], ["gnp.svg", /SVG/], ["photo.jpg", /HEIC/]]) {
    await chips.filter({ hasText: name }).getByRole("alert").filter({ hasText: reason }).waitFor();
  }
  assert.equal(await chips.locator("img").count(), 0);
  await accessible(page, "refused files");
  await say(page, "Look");
  await page.getByText("Seen.").waitFor();
  await page.getByRole("log").getByText("notes.txt").waitFor();
  assert.deepEqual(await intruders(page), []);
});

for (const [what, prepare] of Object.entries({
  "storage that is full": () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
  "storage that is forbidden": () => {
    const forbidden = {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) Object.defineProperty(window, name, forbidden);
  },
  "a clock that is a day ahead": () => {
    const now = Date.now;
    const OriginalDate = Date;
    const ahead = () => now() + 86_400_000;
    window.Date = class extends OriginalDate {
      constructor(...given) {
        super(...(given.length > 0 ? given : [ahead()]));
      }
      static now = ahead;
    };
  },
  "a clock that is a day behind": () => {
    const now = Date.now;
    const OriginalDate = Date;
    const behind = () => now() - 86_400_000;
    window.Date = class extends OriginalDate {
      constructor(...given) {
        super(...(given.length > 0 ? given : [behind()]));
      }
      static now = behind;
    };
  },
})) {
  scene(`with ${what}, messages are sent and decided`, { configuration: ASKING }, async ({ model, person }) => {
    model.answers({ name: "calculator", arguments: { expression: "20 + 3" } }).answers("It is 23.");
    const page = await person.open();
    await page.addInitScript(prepare);
    await page.reload();
    await say(page, "Add");
    await card(page).getByRole("button", { name: "Approve once" }).click();
    await page.getByText("It is 23.").waitFor();
    await ended(page);
    await page.reload();
    await page.getByText("It is 23.").waitFor();
    for (const screen of ["sessions", "needs", "settings"]) {
      await page.goto(`${person.url}#/${screen}`);
      await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    }
  });
}
