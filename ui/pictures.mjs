// Takes the pictures of the page in docs/page, with a model that answers from a script.
//
//   TURNKIT_BINARY=… TURNKIT_BROWSER=… node pictures.mjs         takes all
//   TURNKIT_BINARY=… TURNKIT_BROWSER=… node pictures.mjs NAME…   takes some

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BEGINNING, STATES } from "./pictures/chat.mjs";
import { offline, SCREENS } from "./pictures/screens.mjs";
import { close, Person } from "./tests/browser.mjs";
import { Model, Server } from "./tests/server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = join(HERE, "..", "docs", "page");

const CONFIGURATION = `[auth]
mode = "api_key"

[[agents]]
name = "assistant"
tools = ["calculator", "clock", "ask_user", "edit_file", "cards__*"]
on_stream_failure = "redo"
context = { budget = 16_000 }

[[agents]]
name = "writer"

[permissions]
rules = [{ tool = "calculator", decision = "ask" }, { tool = "clock", decision = "ask" }]

[budgets]
day = { tokens = 200_000 }

[files]
roots = ["."]

[[mcp]]
name = "cards"
command = ["${process.execPath}", "${join(HERE, "tests", "mcp-tools.mjs")}"]
trust = "annotations"
`;

/** What the model costs. */
const PRICES = `[[providers.models_detail]]
name = "scripted"
prices = { input = 1.25, output = 10 }
`;

/** The pictures in the order in which they are taken. The last one has no server any more. */
const PICTURES = { ...BEGINNING, ...STATES, ...SCREENS };

/** Those that documents show in their full width have twice as many points. */
const LARGE = ["answer", "approval", "turn"];

/** What browsers report of requests without a key, and without a server. */
const REPORTED = /status of 401|ERR_/;

const VIEWPORT = { width: 1120, height: 760 };

/** The pictures to take; all if none is named. */
const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!["sign-in", "offline"].includes(name) && !(name in PICTURES)) throw new Error(`there is no picture ${name}`);
}

const isWanted = (name) => wanted.length === 0 || wanted.includes(name);

const take = (page, name, colorScheme) => page.screenshot({ path: join(TARGET, `${name}-${colorScheme}.png`) });

/** Takes the picture of a server without a model. */
async function takeOffline(colorScheme) {
  const server = await Server.start();
  try {
    const person = await Person.at(`${server.url}/`, { colorScheme, viewport: VIEWPORT });
    const page = await person.open();
    await offline(page);
    await take(page, "offline", colorScheme);
    await person.leave();
  } finally {
    await server.stop();
  }
}

/** Takes the other pictures in one theme, from a server of their own. */
async function takeOthers(colorScheme) {
  const model = (await new Model().start()).reports({ prompt_tokens: 1_240, completion_tokens: 310 });
  try {
    const environment = { TURNKIT_RECORD: "recordings" };
    const server = await Server.start({ model, configuration: CONFIGURATION, detail: PRICES, environment });
    await takeFrom(server, model, colorScheme).finally(() => server.stop());
  } finally {
    model.stop();
  }
}

/** Takes the pictures as a person who is new to the server. */
async function takeFrom(server, model, colorScheme) {
  const options = { colorScheme, viewport: VIEWPORT, allowed: REPORTED };
  const scopes = ["chat", "read", "decide", "admin"].flatMap((scope) => ["--scope", scope]);
  const key = await server.command("keys", "create", "laptop", "--user", "ada", ...scopes);
  /** A person who is signed in, with as many points for each pixel. */
  const enter = async (deviceScaleFactor) => {
    const person = await Person.at(`${server.url}/`, { ...options, deviceScaleFactor });
    const page = await person.open();
    await page.getByLabel("API key").fill(key);
    if (deviceScaleFactor === 1 && isWanted("sign-in")) await take(page, "sign-in", colorScheme);
    await page.getByLabel("Stay signed in on this device").check();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await page.close();
    return person;
  };
  const [person, closer] = [await enter(1), await enter(2)];
  for (const [name, play] of Object.entries(PICTURES)) {
    if (!isWanted(name) && !(name in BEGINNING)) continue;
    const page = await (LARGE.includes(name) ? closer : person).open();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    const finish = await play(page, { model, server });
    if (isWanted(name)) await take(page, name, colorScheme);
    finish?.();
    await page.close();
  }
  await person.leave();
  await closer.leave();
}

await mkdir(TARGET, { recursive: true });
try {
  for (const colorScheme of ["light", "dark"]) {
    if (isWanted("offline")) await takeOffline(colorScheme);
    if (wanted.join() !== "offline") await takeOthers(colorScheme);
  }
} finally {
  await close();
}
