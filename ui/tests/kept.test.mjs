// A turn looks the same when its log has gone, a day after its end. What only logs have is left out: how long the first
// output took, and the interactions, with which a turn loses the way to the turns of its sub-agents and the remark that a
// user changed the arguments of a call.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, ended, Person, same, say, until } from "./browser.mjs";
import { cannotDeleteLogs, deleteLogs, drawnWithoutLog, withoutLog } from "./kept.mjs";
import { LOST, read } from "./scene.mjs";
import { gate, Model, Server } from "./server.mjs";
import { CARDS } from "./stage.mjs";

after(close);

const CONFIGURATION = `[permissions]
rules = [{ tool = "calculator", decision = "ask" }]

[[agents]]
name = "assistant"
tools = ["calculator", "cards__*"]
max_rounds = 3
on_stream_failure = "redo"

${CARDS}`;

const call = (name, given = {}) => ({ name, arguments: given });
const calculation = call("calculator", { expression: "6 * 7" });

/** Answers the calls that wait for a decision, in order. */
async function decide(page, ...buttons) {
  for (const name of buttons) {
    const button = page.locator(".approval").getByRole("button", { name, exact: true }).first();
    // The next call has such a button, too.
    const element = await button.elementHandle();
    await button.click();
    await element.waitForElementState("hidden");
  }
}

/** Ways in which turns end. Of each, what the model answers, and what is done until it has ended. */
const TURNS = [
  {
    name: "with reasoning, and calls side by side",
    answers: (model) =>
      model
        .answers({ reasoning: "Let me **see**." }, "I look.", call("cards__structured"), call("cards__picture"))
        .answers("It is\n\n- so"),
  },
  {
    name: "with a call that was allowed, and one that was denied",
    answers: (model) => model.answers("Both.", calculation).answers(calculation).answers("It is 42."),
    act: (page) => decide(page, "Approve once", "Deny"),
  },
  {
    name: "failed",
    answers: (model) => model.answers({ error: { message: "No such model", code: "model_not_found" } }),
    status: "failed",
  },
  {
    name: "stopped by the user",
    answers: (model, held) => model.answers({ reasoning: "Well." }, "It begins", held.opened),
    act: async (page) => {
      await page.getByText("It begins").waitFor();
      await page.getByRole("button", { name: "Stop", exact: true }).click();
    },
    status: "cancelled",
  },
  {
    name: "stopped by a limit",
    answers: (model) => {
      for (const text of ["One.", "Two.", "Three."]) model.answers(text, call("cards__nested"));
    },
    status: "limit",
  },
  {
    name: "with an answer that broke off and was written again",
    answers: (model) => model.answers("The beginning ", { breaks: true }).answers("The beginning and the end."),
  },
  {
    name: "with an answer that was written again after the server had been killed",
    answers: (model, held) => model.answers("A word ", held.opened).answers("A word and another."),
    act: async (page, server) => {
      await page.getByText("A word", { exact: true }).waitFor();
      await server.kill();
      await server.run();
      await page.getByText("A word and another.").waitFor({ timeout: 30_000 });
    },
  },
  {
    name: "with a message that steered it",
    answers: (model, held) => model.answers("I look.", held.opened, call("cards__structured")).answers("In Rome."),
    act: async (page, _, held) => {
      await page.getByText("I look.").waitFor();
      await page.locator("#message").fill("In Rome, please.");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("list", { name: "Waiting messages" }).getByText("steers").waitFor();
      held.open();
      await page.getByText("In Rome.", { exact: true }).waitFor();
    },
  },
];

/** Returns what the server says of the turns of a session. */
async function turnsOf(server, session) {
  return (await read(server, `sessions/${session}/turns`)).data;
}

/** Plays a turn in a new session, and returns it as it is live. */
async function play({ model, server, page }, { name, answers, act, status = "completed" }) {
  const held = gate();
  answers(model, held);
  await page.evaluate(() => {
    location.hash = "#/";
  });
  await page.locator(".welcome-text").waitFor();
  await say(page, name);
  await act?.(page, server, held);
  await ended(page);
  held.open();
  const session = await page.evaluate(() => location.hash.split("/")[2]);
  const turns = await until(() => turnsOf(server, session), (turns) => turns.every(({ state }) => state === status));
  return { name, session, turns, shown: await drawnWithoutLog(page) };
}

test("every turn is drawn from its messages as it was live", { skip: cannotDeleteLogs }, async () => {
  const model = await new Model().start();
  const server = await Server.start({ model, configuration: CONFIGURATION });
  const person = await Person.at(`${server.url}/`, { allowed: LOST });
  try {
    const page = await person.open();
    const played = [];
    for (const turn of TURNS) played.push(await play({ model, server, page }, turn));
    await person.leave();

    const areGone = async () => {
      for (const { session } of played) {
        await until(() => turnsOf(server, session), (turns) => turns.every(({ seq }) => seq === 0));
      }
    };
    await deleteLogs(server, areGone);
    const later = await Person.at(`${server.url}/`);
    for (const { name, session, turns, shown } of played) {
      assert.deepEqual(await turnsOf(server, session), turns.map(withoutLog), name);
      const reader = await later.open(`#/s/${session}`);
      await reader.getByRole("article").first().waitFor();
      await same(() => drawnWithoutLog(reader), () => shown, name);
      await reader.close();
    }
    await later.leave();
  } finally {
    await server.stop();
    model.stop();
  }
});
