// Takes the pictures of the page in docs/page, with a model that answers from a script.
//
//   TURNKIT_BINARY=… TURNKIT_BROWSER=… node pictures.mjs         takes all
//   TURNKIT_BINARY=… TURNKIT_BROWSER=… node pictures.mjs NAME…   takes some

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { close, ended, Person, say } from "./tests/browser.mjs";
import { Model, Server } from "./tests/server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = join(HERE, "..", "docs", "page");

const CONFIGURATION = `[auth]
mode = "api_key"

[[agents]]
name = "assistant"
tools = ["calculator", "clock", "ask_user", "cards__*"]
context = { budget = 16_000 }

[permissions]
rules = [{ tool = "calculator", decision = "ask" }]

[budgets]
day = { tokens = 200_000 }

[[mcp]]
name = "cards"
command = ["${process.execPath}", "${join(HERE, "tests", "mcp-tools.mjs")}"]
trust = "annotations"
`;

const ANSWER = `Three things decide it:

| | now | after |
|---|---:|---:|
| orders a day | 840 | 945 |
| answered within an hour | 71 % | 88 % |

1. Most questions come **before noon**.
2. Half of them ask for the *state of an order*: the share is $\\frac{412}{840} \\approx 49\\,\\%$.
3. \`orders.csv\` has all that is needed to answer those.

\`\`\`sql
select state, count(*) from orders group by state;
\`\`\`
`;

const HOTEL = {
  type: "object",
  properties: {
    city: { type: "string", title: "City" },
    nights: { type: "integer", minimum: 1, title: "Nights" },
    breakfast: { type: "boolean", title: "With breakfast" },
  },
  required: ["city", "nights"],
};

/** The pictures, in the order in which they are taken: each shows what the ones before it left. */
const PICTURES = {
  answer: async (page, model) => {
    model.answers({ reasoning: "The table has both columns." }, ANSWER);
    await say(page, "What would help our support most?");
    await ended(page);
    await page.locator("math").first().waitFor();
    await page.locator("pre code span").first().waitFor();
  },
  versions: async (page, model) => {
    model.answers("Answer the simple questions before noon.").answers("A page that shows the state of an order.");
    await say(page, "In one sentence, what should we do first?");
    await ended(page);
    await page.getByRole("button", { name: "Retry" }).last().click();
    await page.getByText("A page that shows").waitFor();
    await ended(page);
  },
  call: async (page, model) => {
    model.answers({ name: "cards__structured", arguments: {} }).answers("The earthquake of Lisbon was in 1755.");
    await say(page, "When was the earthquake?");
    await ended(page);
    await page.locator("details.call > summary").first().click();
    await page.getByRole("tree", { name: "Data" }).waitFor();
  },
  question: async (page, model) => {
    model.answers({ name: "ask_user", arguments: { question: "Which hotel do you need?", schema: HOTEL } });
    await say(page, "Book me a hotel");
    await page.getByRole("group", { name: "Question from ask_user" }).waitFor();
  },
  approval: async (page, model) => {
    model.answers("I will calculate that.", { name: "calculator", arguments: { expression: "840 * 1.125" } });
    await say(page, "How many orders are that, with 12.5% more?");
    await page.getByRole("button", { name: "Approve once" }).and(page.locator(":enabled")).waitFor();
    await page.getByRole("navigation").getByText("Needs you").first().waitFor();
  },
  needs: (page) => show(page, "#/needs", page.getByRole("button", { name: "Approve once" }).and(page.locator(":enabled"))),
  sessions: (page) => show(page, "#/sessions", page.getByRole("main").getByRole("link").first()),
  settings: (page) => show(page, "#/settings", page.getByLabel("Language")),
  turns: (page) => show(page, "#/turns", page.getByRole("table").getByRole("row").nth(1)),
  turn: async (page) => {
    await show(page, "#/turns", page.getByRole("table").getByRole("row").nth(1));
    await page.getByRole("row").filter({ hasText: "earthquake" }).getByRole("link").first().click();
    await page.locator(".waterfall-row").first().waitFor();
  },
  usage: (page) => show(page, "#/usage", page.locator(".screen:has(meter) .plot").first()),
  providers: (page) => show(page, "#/providers", page.getByText("scripted").first()),
  tools: (page) => show(page, "#/tools", page.getByText("calculator").first()),
  recording: async (page) => {
    await show(page, "#/recordings", page.getByRole("table").getByRole("row").nth(1));
    await page.getByRole("row").filter({ hasText: "earthquake" }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Replay the turn" }).click();
    await page.getByText("The replay is the same as the stored turn").waitFor();
  },
  keys: (page) => show(page, "#/keys", page.getByRole("table").getByRole("row").nth(1)),
  options: async (page) => {
    await page.getByRole("button", { name: "Options" }).click();
    const options = page.getByRole("dialog", { name: "Options" });
    await options.getByLabel("Model").waitFor();
    await options.getByLabel("Thinking").selectOption("high");
  },
  recordings: (page) => show(page, "#/recordings", page.getByRole("table").getByRole("row").nth(1)),
  archive: async (page, model) => {
    for (const [question, answer] of OLD) {
      model.answers(answer);
      await show(page, "#/", page.getByRole("heading", { name: "What can I do for you?" }));
      await say(page, question);
      await page.getByText(answer).waitFor();
      await ended(page);
      await choose(page, "Archive");
      await page.getByRole("status").filter({ hasText: "is in the archive now" }).waitFor();
    }
    await show(page, "#/sessions", page.getByRole("main").getByRole("link").first());
    await page.reload();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.getByRole("main").getByRole("link", { name: OLD[0][0] }).waitFor();
  },
  context: async (page) => {
    await openAnswer(page);
    await choose(page, "Context…");
    await page.getByRole("meter", { name: "Context" }).waitFor();
  },
  phone: async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openAnswer(page);
    // The table is above the end of the answer.
    await page.locator(".markdown table").first().evaluate((table) => table.scrollIntoView({ block: "center" }));
  },
};

/** Questions and answers of sessions that are put into the archive. */
const OLD = [
  ["Which day has the most orders?", "Monday, with a fifth of the week's orders."],
  ["Draft a note on the new opening hours", "From March on we answer from 8 to 18 o'clock."],
  ["How long is the warranty of a kettle?", "Two years from the day of the purchase."],
];

/** Opens the session of the first picture. */
async function openAnswer(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Sessions" }).getByRole("link", { name: "What would help our support most?" }).click();
  await page.getByRole("heading", { name: "What would help our support most?" }).waitFor();
  await page.getByText("Three things decide it").waitFor();
}

/** Chooses an action of the session on the screen. */
async function choose(page, name) {
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

async function show(page, address, shown) {
  await page.evaluate((hash) => void (location.hash = hash), address);
  await shown.waitFor();
}

/** The pictures that leave sessions, which the others show. */
const BEGINNING = ["answer", "versions", "call", "question", "approval"];

/** The pictures to take; all if none is named. */
const wanted = process.argv.slice(2);
for (const name of wanted) if (name !== "sign-in" && !(name in PICTURES)) throw new Error(`there is no picture ${name}`);

/** Takes the pictures in one theme, from a server of their own. */
async function takeAll(colorScheme) {
  const model = (await new Model().start()).reports({ prompt_tokens: 1_240, completion_tokens: 310 });
  try {
    const server = await Server.start({ model, configuration: CONFIGURATION, environment: { TURNKIT_RECORD: "recordings" } });
    await takeFrom(server, model, colorScheme).finally(() => server.stop());
  } finally {
    model.stop();
  }
}

/** Takes the pictures as a person who is new to the server. */
async function takeFrom(server, model, colorScheme) {
  const person = await Person.at(`${server.url}/`, { colorScheme, viewport: { width: 1120, height: 760 }, allowed: /status of 401/ });
  const scopes = ["chat", "read", "decide", "admin"].flatMap((scope) => ["--scope", scope]);
  const key = await server.command("keys", "create", "laptop", "--user", "ada", ...scopes);
  const take = async (page, name) => {
    if (wanted.length > 0 && !wanted.includes(name)) return;
    await page.screenshot({ path: join(TARGET, `${name}-${colorScheme}.png`) });
  };
  const first = await person.open();
  await first.getByLabel("API key").fill(key);
  await take(first, "sign-in");
  await first.getByLabel("Stay signed in on this device").check();
  await first.getByRole("button", { name: "Sign in" }).click();
  await first.getByRole("textbox", { name: "Message" }).waitFor();
  await first.close();
  for (const [name, play] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name) && !BEGINNING.includes(name)) continue;
    const page = await person.open();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await play(page, model);
    await take(page, name);
    await page.close();
  }
  await person.leave();
}

await mkdir(TARGET, { recursive: true });
try {
  for (const colorScheme of ["light", "dark"]) await takeAll(colorScheme);
} finally {
  await close();
}
