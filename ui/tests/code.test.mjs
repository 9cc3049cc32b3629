// Colours of code and formulas, in what a model writes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { accessible, close, drawn, ended, say, until } from "./browser.mjs";
import { gate } from "./server.mjs";
import { LOOKS, scene } from "./scene.mjs";

after(close);

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "markdown");

/** Collects the names of the scripts that a page loads. */
function loadedScripts(page) {
  const names = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") names.push(new URL(request.url()).pathname.slice(1));
  });
  return names;
}

const code = (page) => page.getByRole("log").locator("pre code");

const RUST = '// Adds.\nfn add(a: u32) -> u32 {\n    let text = "</code><script>alert(1)</script>";\n    a + 1\n}';

scene("code is coloured when its block is complete, and its text stays the same", {}, async ({ model, person }) => {
  const middle = gate();
  const [first, ...rest] = RUST.split("\n");
  model.answers(`Look:\n\n\`\`\`rust\n${first}\n`, middle.opened, `${rest.join("\n")}\n\`\`\`\n\nThat is all.`);
  const page = await person.open();
  const scripts = loadedScripts(page);
  await say(page, "Show code");
  await code(page).getByText("// Adds.").waitFor();
  assert.equal(await code(page).locator("span").count(), 0, "an open block has no colours");
  assert.ok(!scripts.includes("code.js"), "an open block needs no colours");
  middle.open();
  await code(page).locator(".code-keyword", { hasText: "fn" }).waitFor();
  await ended(page);
  await code(page).locator(".code-comment", { hasText: "// Adds." }).waitFor();
  assert.equal(await code(page).textContent(), RUST);
  assert.equal(await page.getByRole("log").locator("script").count(), 0);
  assert.equal(await page.getByRole("log").locator("figcaption").getByText("rust").count(), 1);
  const before = await drawn(page);
  await page.reload();
  await code(page).locator(".code-keyword", { hasText: "fn" }).waitFor();
  assert.equal(await drawn(page), before);
});

scene("a conversation without code and formulas loads neither part", {}, async ({ model, person }) => {
  model.answers("Costs $5 and $10, US$5-$6 or $7/$8.\n\nOr 5$, or 10$. `fn` is Rust, \\$x\\$ is not.\n\n```klingon\nfn main() {}\n```\n\n```\nplain\n```\n\nThat is all.");
  const page = await person.open();
  const scripts = loadedScripts(page);
  await say(page, "Talk");
  await page.getByText("That is all.").waitFor();
  await ended(page);
  await page.getByText("Costs $5 and $10, US$5-$6 or $7/$8.").waitFor();
  await page.getByText("Or 5$, or 10$. fn is Rust, $x$ is not.").waitFor();
  assert.deepEqual(scripts.filter((name) => ["code.js", "math.js"].includes(name)), []);
  assert.equal(await code(page).first().textContent(), "fn main() {}");
  assert.equal(await page.getByRole("log").locator("[class^=code-]").count(), 0);
});

const WRITTEN = [
  "In a line: $a_1 + b_1 = c$, and \\(x^2\\), $n$-th, **bold $y$**.",
  "$$\n\\frac{a}{b}\n- c\n= d\n$$",
  "Before:\n\\[\n\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}\n\\]\nafter.",
  "- in a list: $$\\sum_{i=0}^n i$$\n- and $\\sqrt{2}$",
  "| table | $t$ |\n|---|---|\n| $u$ | 2 |",
  "> quoted \\(q\\)",
  "$$\\text{wrong} \\frac{$$",
  "$$\nwithout *end*\n- and no list",
  "Dollars within: $$x \\text{ if $y$}$$",
];

scene("each block has the direction of its own text, and code goes from left to right", {}, async ({ model, person }) => {
  const hebrew = "זה טקסט";
  model.answers(`${hebrew} \`let a = 1;\` ${hebrew}\n\nIn English.\n\n- ${hebrew}\n\n\`\`\`\n(${hebrew})\n\`\`\`\n\nThe end.`);
  const page = await person.open();
  await say(page, "Write");
  await ended(page);
  const log = page.getByRole("log");
  const direction = (locator) => locator.evaluate((element) => getComputedStyle(element).direction);
  for (const [found, expected] of [
    [log.locator("p", { hasText: "let a" }), "rtl"],
    [log.locator("p code", { hasText: "let a" }), "ltr"],
    [log.locator("p", { hasText: "In English." }), "ltr"],
    [log.locator("ul", { hasText: hebrew }), "rtl"],
    [log.locator("pre", { hasText: hebrew }), "ltr"],
    [log.locator("p", { hasText: "The end." }), "ltr"],
  ]) {
    assert.equal(await direction(found), expected, await found.textContent());
  }
});

scene("footnotes have a raised mark where they are named, and before their text", {}, async ({ model, person }) => {
  model.answers("Proved[^1] and told[^note], see [^2](https://far.example) and [^0-9].\n\n[^1]: Textbook\n[^note]: By *a* friend,\n    in a letter.\n\nThe end.");
  const page = await person.open();
  await say(page, "Write");
  await ended(page);
  const shown = page.getByRole("log").locator(".markdown").last();
  const texts = await shown.locator("p").evaluateAll((all) => all.map((p) => p.innerText.replace(/\s+/g, " ")));
  assert.deepEqual(texts, ["Proved1 and toldnote, see ^2 and [^0-9].", "1Textbook", "noteBy a friend, in a letter.", "The end."]);
  assert.deepEqual(await shown.locator("sup").allTextContents(), ["1", "note", "1", "note"]);
  assert.equal(await shown.getByRole("link").count(), 1);
});

scene("formulas are drawn in each way to write them, and are the same after a reload", {}, async ({ model, person }) => {
  model.answers(...`${WRITTEN.join("\n\n")}\n\nThat is all.`.match(/[^]{1,5}/g));
  const page = await person.open();
  await say(page, "Calculate");
  await page.getByText("That is all.").waitFor();
  await ended(page);
  const log = page.getByRole("log");
  const sources = () => log.locator(".formula").evaluateAll((all) => all.map(({ title }) => title));
  await log.locator(".formula").nth(11).waitFor();
  assert.deepEqual(await sources(), [
    "$a_1 + b_1 = c$",
    "\\(x^2\\)",
    "$n$",
    "$y$",
    "$$\n\\frac{a}{b}\n- c\n= d\n$$",
    "\\[\n\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}\n\\]",
    "$$\\sum_{i=0}^n i$$",
    "$\\sqrt{2}$",
    "$t$",
    "$u$",
    "\\(q\\)",
    "$$x \\text{ if $y$}$$",
  ]);
  assert.equal(await log.locator("math mfrac, math mtable, math msqrt").count(), 3);
  const wrong = log.locator("code[title]");
  assert.equal(await wrong.textContent(), "$$\\text{wrong} \\frac{$$");
  assert.match(await wrong.getAttribute("title"), /^This formula cannot be drawn: /);
  await log.locator("p", { hasText: "$$ without end - and no list" }).locator("em").waitFor();
  const before = await drawn(page);
  await page.reload();
  await log.locator(".formula").nth(11).waitFor();
  await wrong.waitFor();
  assert.equal(await drawn(page), before);
});

const HOSTILE = [
  "\\href{javascript:alert(1)}{x}",
  "\\url{https://example.com}",
  "\\includegraphics{https://example.com/pixel.png}",
  "\\htmlData{a=b}{x}",
  "\\data{a=b}{x}",
  "\\class{formula}{x}",
  "\\id{app}{x}",
  "\\style{position:fixed}{x}",
  "\\begin{equation}\\label{app}x\\end{equation}",
  "\\ref{app}",
  "\\colorbox{url(https://example.com)}{x}",
  "\\text{<img src=https://example.com/x.png onerror=alert(1)>}",
  "\\def\\a{\\a\\a}\\a",
  "\\rule{99999em}{99999em}",
  "\\kern{-9999em}x",
  "{".repeat(4_900) + "x" + "}".repeat(4_900),
  "x^{".repeat(500) + "x" + "}".repeat(500),
  "x+".repeat(4_900),
  "x ".repeat(6_000),
];

scene("hostile formulas run nothing, load nothing and end", { person: { viewport: { width: 390, height: 844 } } }, async ({ model, person }) => {
  const pieces = HOSTILE.map((formula) => `$$${formula}$$\n\n`);
  model.answers(...pieces, "That is all.");
  const page = await person.open();
  await say(page, "Attack");
  await page.getByText("That is all.").waitFor();
  await ended(page);
  const log = page.getByRole("log");
  await log.locator("code[title*=javascript], .formula").first().waitFor();
  assert.equal(await log.locator(".markdown :is(a, img, script, [href], [src], [style*=url], [id])").count(), 0);
  const texts = await log.locator(".markdown").evaluate((root) => root.textContent);
  assert.ok(texts.includes(HOSTILE.at(-1)), "a formula that is too long stays text");
  const widest = await page.evaluate(() => {
    const outside = [...document.querySelectorAll("main *")].filter((element) => !element.closest(".formula *"));
    return Math.max(...outside.map((element) => element.getBoundingClientRect().right));
  });
  assert.ok(widest <= 390, `something reaches to ${widest}`);
  await page.getByRole("textbox", { name: "Message" }).fill("alive");
});

scene("code that would take long stays plain, and the page stays alive", {}, async ({ model, person }) => {
  const words = ["a".repeat(5_000), `${"a".repeat(400)}\n`.repeat(10), "\n".repeat(3_000), "x = 1;\n".repeat(3_000)];
  model.answers(...words.map((word) => `\`\`\`c#\nint x;\n${word}\nint y;\n\`\`\`\n\n`), "```c#\nint z;\n```\n\nThat is all.");
  const page = await person.open();
  await say(page, "Attack");
  await page.getByText("That is all.").waitFor();
  await ended(page);
  await code(page).last().locator(".code-type", { hasText: "int" }).waitFor();
  assert.equal(await code(page).count(), words.length + 1);
  assert.equal(await code(page).locator("span:not([class=code-type])").count(), 0);
  assert.equal(await code(page).locator("span").count(), 1);
});

for (const look of LOOKS) {
  const name = `people with assistive technology can read code and formulas: ${look.colorScheme}, ${look.viewport.width} pixels`;
  scene(name, { person: { ...look, permissions: ["clipboard-read", "clipboard-write"] } }, async ({ model, person }) => {
    const languages = {
      ts: "/** Adds. */\nexport class A<T> { @b c = `${1}` + /x/ }",
      diff: "-a\n+b",
      css: "/* c */ a.b:hover { color: #fff !important }",
      yaml: "a: [1, true] # c",
    };
    const blocks = Object.entries(languages).map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\`\n\n`);
    model.answers(...blocks, `> \`\`\`py\n> def f(): pass\n> \`\`\`\n\n`, ...WRITTEN.map((text) => `${text}\n\n`));
    const page = await person.open();
    await say(page, "Go");
    await ended(page);
    await code(page).last().locator(".code-keyword").first().waitFor();
    await page.getByRole("log").locator(".formula").nth(11).waitFor();
    await accessible(page, "code and formulas");
    await page.getByRole("log").getByRole("button", { name: "Copy" }).first().click();
    await until(() => page.evaluate(() => navigator.clipboard.readText()), (text) => text === languages.ts);
    const widest = await page.evaluate(() => {
      const outside = [...document.querySelectorAll("main *")].filter((element) => !element.closest("pre *, .formula *, .table *"));
      return Math.max(...outside.map((element) => element.getBoundingClientRect().right));
    });
    assert.ok(widest <= look.viewport.width, `something reaches to ${widest}`);
  });
}

test("every language that loads the colours has some", async () => {
  const source = await readFile(join(SOURCES, "colours.ts"), "utf8");
  const names = source.slice(source.indexOf("new Set("), source.indexOf(".split")).match(/"[^"]*"/g).join("");
  const options = { bundle: true, format: "esm", platform: "node", write: false, logLevel: "silent" };
  const { outputFiles } = await build({ ...options, entryPoints: [join(SOURCES, "code.ts")] });
  const part = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  const unknown = names.replaceAll('"', "").split(" ").filter((name) => !part.isKnown(name));
  assert.deepEqual(unknown, []);
});

scene("without its part, code stays plain and formulas stay as they are written", {
  person: { allowed: /Failed to load resource/ },
}, async ({ model, person }) => {
  model.answers("```rust\nfn main() {}\n```\n\nSo $x$.\n\nThat is all.");
  const page = await person.open();
  await page.route(/\/(?:code|math)\.js$/, (route) => route.abort());
  await say(page, "Go");
  await page.getByText("That is all.").waitFor();
  await ended(page);
  await page.getByText("So $x$.").waitFor();
  assert.equal(await code(page).textContent(), "fn main() {}");
});
