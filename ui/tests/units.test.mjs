// The parts of the page that need no browser.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Model, Server } from "./server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

/** The language of what is loaded, instead of a browser's. */
const shared = {
  name: "shared",
  setup: (build) => {
    build.onResolve({ filter: /\/shared$/ }, ({ path }) => ({ path, namespace: "shared" }));
    build.onLoad({ filter: /.*/, namespace: "shared" }, () => ({ contents: "export const locale = { get value() { return globalThis.testLocale; } };" }));
  },
};

/** Loads a source of the page. */
async function load(path) {
  const options = { bundle: true, format: "esm", platform: "node", write: false, logLevel: "silent", plugins: [shared] };
  const { outputFiles } = await build({ ...options, entryPoints: [join(HERE, "..", "src", path)] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { Client, EventStream, emptyTurn, foldTurn } = await load("net/index.ts");
const { formatSpan } = await load("later/duration.ts");
const { indent } = await load("later/json.ts");
const { formatMoney } = await load("later/money.ts");
const { read } = await load("markdown/lexer.ts");
const { safeAddress, safeImage, visible } = await load("markdown/links.ts");

test("a stream that is cut anywhere has the same events", () => {
  const stream = ': hello\n\nevent: a\nid: 1\ndata: {"x":1}\n\nevent: b\r\ndata: one\r\ndata: two\r\n\r\ndata:bare\rid\r\rdata: unfinished';
  const whole = new EventStream().push(stream);
  assert.deepEqual(whole, [
    { event: "a", id: "1", data: '{"x":1}' },
    { event: "b", id: undefined, data: "one\ntwo" },
    { event: "message", id: "", data: "bare" },
  ]);
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const events = new EventStream();
    assert.deepEqual([...events.push(stream.slice(0, cut)), ...events.push(stream.slice(cut))], whole, `cut at ${cut}`);
  }
  const slow = new EventStream();
  assert.deepEqual([...stream].flatMap((character) => slow.push(character)), whole);
});

test("a turn that is folded from its events is the turn that the server returns", async () => {
  const server = await Server.start();
  try {
    const client = new Client({ base: `${server.url}/` });
    for (const message of ["What is 12.5% of 840, and what day is it today?", "Say hello", "What is 1 / 0?"]) {
      const { turn_id, session_id } = await client.start({ message, key: message });
      const response = await fetch(`${server.url}/api/v1/turns/${turn_id}/events`);
      const frames = new EventStream().push(await response.text());
      const { data } = await client.turns(session_id);
      const { state, after, kind, ...expected } = data[0];
      const fold = (view, { event, data }) => foldTurn(view, event, JSON.parse(data));
      const whole = frames.reduce(fold, emptyTurn(turn_id, 1));
      // A value that is undefined is not part of the JSON.
      const plain = JSON.parse(JSON.stringify(whole));
      assert.deepEqual(plain, expected);
      const again = frames.reduce(fold, whole);
      assert.deepEqual(again, whole, "events that are repeated change nothing");
    }
  } finally {
    await server.stop();
  }
});

test("a turn whose call waited for a person is the same from its events and from the server", async () => {
  const model = await new Model().start();
  const rules = `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`;
  const server = await Server.start({ model, configuration: rules });
  try {
    const client = new Client({ base: `${server.url}/` });
    for (const decision of [{ decision: "approve", arguments: { expression: "2" }, note: "two" }, { decision: "deny" }]) {
      model.answers({ name: "calculator", arguments: { expression: "1" } }).answers("Done.");
      const { turn_id, session_id } = await client.start({ message: "go", key: decision.decision });
      let pending = [];
      while (pending.length === 0) pending = (await client.interactions()).data;
      await client.resolve(pending[0].id, decision);
      const response = await fetch(`${server.url}/api/v1/turns/${turn_id}/events`);
      const frames = new EventStream().push(await response.text());
      const stored = (await client.turns(session_id)).data[0];
      const fold = (view, { event, data }) => foldTurn(view, event, JSON.parse(data));
      const { tools, waits } = frames.reduce(fold, emptyTurn(turn_id, 1));
      assert.deepEqual(JSON.parse(JSON.stringify({ tools, waits })), { tools: stored.tools, waits: stored.waits });
    }
  } finally {
    await server.stop();
    model.stop();
  }
});

test("a retraction removes what a dead attempt wrote", () => {
  const event = (name, seq, fields) => [name, { turn_id: "t", seq, at: `2026-01-01T00:00:0${seq}.000Z`, ...fields }];
  const events = [
    event("turn.started", 1, { agent: "a", input: [] }),
    event("step.started", 2, { step: 1, provider: "p", model: "m" }),
    event("part.started", 3, { part_id: "1.0", type: "text" }),
    event("part.delta", 4, { part_id: "1.0", delta: "lost" }),
    event("retracted", 2, { from_seq: 2, attempt: 2 }),
    event("step.started", 3, { step: 1, provider: "p", model: "m" }),
    event("part.started", 4, { part_id: "1.0", type: "text" }),
    event("part.delta", 5, { part_id: "1.0", delta: "kept" }),
  ];
  const view = events.reduce((view, [name, data]) => foldTurn(view, name, data), emptyTurn("t", 1));
  assert.deepEqual(view.parts.map(({ text }) => text), ["kept"]);
  assert.equal(view.steps.length, 1);
});

test("JSON is broken into lines, and nothing else of it changes", () => {
  for (const [json, lines] of [
    ['{"a":[1,{"b":"x:,{}"}],"c":{},"d":[]}', '{\n  "a": [\n    1,\n    {\n      "b": "x:,{}"\n    }\n  ],\n  "c": {},\n  "d": []\n}'],
    ['{"n":12345678901234567890,"n":1e400}', '{\n  "n": 12345678901234567890,\n  "n": 1e400\n}'],
    ['"a \\" b"', '"a \\" b"'],
    ["[ [ ] , { } ]", "[\n  [],\n  {}\n]"],
    ["not json {", "not json {"],
    ["", ""],
  ]) {
    assert.equal(indent(json), lines);
  }
});

test("a duration is written in the largest unit that fits, and the next one", () => {
  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;
  for (const [milliseconds, en, de] of [
    [0, "0 ms", "0 ms"],
    [39.4, "39 ms", "39 ms"],
    [999.4, "999 ms", "999 ms"],
    [999.6, "1 sec", "1 Sek."],
    [4_240, "4.2 sec", "4,2 Sek."],
    [59_940, "59.9 sec", "59,9 Sek."],
    [59_960, "1 min", "1 Min."],
    [3 * minute + 5 * second, "3 min 5 sec", "3 Min. 5 Sek."],
    [hour - 400, "1 hr", "1 Std."],
    [2 * hour + 10 * minute, "2 hr 10 min", "2 Std. 10 Min."],
    [day - second, "1 day", "1 Tag"],
    [2 * day, "2 days", "2 Tage"],
    [2 * day + 5 * hour + minute, "2 days 5 hr", "2 Tage 5 Std."],
    [400 * day, "400 days", "400 Tage"],
  ]) {
    for (const [language, expected] of Object.entries({ en, de })) {
      globalThis.testLocale = language;
      assert.equal(formatSpan(milliseconds).replaceAll("\u00a0", " "), expected, `${milliseconds} ms in ${language}`);
    }
  }
});

test("a price is written to the cent, and a small one with two digits", () => {
  for (const [nano, en, de] of [
    [0, "$0.00", "0,00 $"],
    [1_234_567, "$0.0012", "0,0012 $"],
    [99_000_000, "$0.099", "0,099 $"],
    [120_000_000, "$0.12", "0,12 $"],
    [1_234_560_000_000, "$1,234.56", "1.234,56 $"],
  ]) {
    for (const [language, expected] of Object.entries({ en, de })) {
      globalThis.testLocale = language;
      assert.equal(formatMoney(nano).replaceAll("\u00a0", " "), expected, `${nano} in ${language}`);
    }
  }
});

test("only links that lead where they seem to lead have an address", () => {
  for (const [written, address] of [
    ["https://example.com/a", "https://example.com/a"],
    ["HTTP://example.com", "http://example.com/"],
    ["mailto:a@example.com", "mailto:a@example.com"],
    ["javascript:alert(1)", undefined],
    ["java\u0000script:alert(1)", undefined],
    ["\u200bjavascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["blob:https://example.com/x", undefined],
    ["/api/v1/sessions", undefined],
    ["//example.com", undefined],
    ["#anchor", undefined],
  ]) {
    assert.equal(safeAddress(written), address, written);
  }
  assert.equal(safeImage("data:image/png;base64,AAAA"), "data:image/png;base64,AAAA");
  for (const other of ["data:image/svg+xml;base64,AAAA", "https://example.com/a.png", "data:image/png,x"]) {
    assert.equal(safeImage(other), undefined, other);
  }
});

test("characters that are not seen are made visible", () => {
  assert.equal(visible("a\u202Eb\u0007\n\tc\u200b"), "a⟨U+202E⟩b⟨U+0007⟩\n\tc⟨U+200B⟩");
});

/** Returns the time of the processor that work takes, in milliseconds: other programs may have it meanwhile. */
function costOf(work) {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/** Returns how many times as slow as an idle machine this one is: that one takes 20 ms for the same work. */
function slowness() {
  const text = "Some words of a text. ".repeat(20_000);
  return costOf(() => text.replace(/\w+/g, (word) => word.toUpperCase())) / 20;
}

test("no text keeps the page busy", () => {
  for (const [what, text] of Object.entries({
    quotes: ">".repeat(2_000),
    lists: Array.from({ length: 1_000 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n"),
    brackets: "[".repeat(50_000),
    stars: "*a ".repeat(20_000),
    underscores: "_a_".repeat(20_000),
    fence: `\`\`\`\n${"x\n".repeat(30_000)}`,
    table: `${"|a".repeat(400)}|\n${"|-".repeat(400)}|\n${`${"|b".repeat(400)}|\n`.repeat(50)}`,
    footnotes: "[^1]: x\n".repeat(5_000),
    backticks: "`".repeat(20_000),
    images: "![a](".repeat(10_000),
    tags: "<a ".repeat(20_000),
    paragraph: "word ".repeat(400_000),
    nested: "*a **b ".repeat(1_300) + "c** d* ".repeat(1_300),
    unbalanced: "b c'*".repeat(3_700),
    names: `${"a.".repeat(30_000)}@`,
    paragraphs: "a\n\n".repeat(21_000),
    entries: "- a\n".repeat(16_000),
  })) {
    // Each text takes up to 240 ms on an idle machine. Work that grows with the square of a text takes many seconds.
    const limit = 1_000 * Math.max(1, slowness());
    const took = costOf(() => read(text));
    if (process.env.TURNKIT_SHOW_TIMES) console.log(what, took);
    assert.ok(took < limit, `${what} took ${Math.round(took)} ms of ${Math.round(limit)}`);
  }
});

test("long JSON is broken into lines at once", () => {
  for (const json of [`[${"[],".repeat(100_000)}[]]`, `[${'{"a":1},'.repeat(40_000)}{}]`]) {
    // Either takes up to 80 ms on an idle machine. Work that grows with the square of the text takes a minute.
    const limit = 1_000 * Math.max(1, slowness());
    const took = costOf(() => indent(json));
    if (process.env.TURNKIT_SHOW_TIMES) console.log(json.slice(0, 10), took);
    assert.ok(took < limit, `${json.slice(0, 10)} took ${Math.round(took)} ms of ${Math.round(limit)}`);
  }
});

test("German texts are formal, and have one word for a session and one for a turn", async () => {
  const others = /(?<![\p{L}])(du|dich|dir|dein\p{L}*|euch|Sitzung\p{L}*|Beitr[aä]g\p{L}*)(?![\p{L}])/giu;
  for (const part of ["", "admin/", "cards/", "more/"]) {
    const table = await readFile(join(HERE, "..", "src", part, "strings", "de.ts"), "utf8");
    assert.deepEqual(table.match(others) ?? [], [], `${part}strings/de.ts`);
  }
});
