// A language that only tests have: English with accents, longer, in brackets, and written from right to left.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Makes the texts of a table longer, so that those that were never in a table, or have no room, can be found. */
function pseudo(table) {
  const accents = { a: "á", e: "ê", i: "ï", o: "ö", u: "ü", A: "Å", E: "É", I: "Î", O: "Ø", U: "Û" };
  const longer = (text) => {
    // A single word stays one.
    const filling = text.includes(" ") ? " öne twö" : "öü";
    return `⟦${text}${filling.repeat(Math.ceil((text.length * 0.4) / filling.length))}⟧`;
  };
  const changed = (value) => {
    if (typeof value === "string") return longer(value.replace(/[aeiou]/gi, (letter) => accents[letter]));
    if (typeof value === "function") return (...given) => longer(value(...given));
    if (Array.isArray(value)) return value.map(changed);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner)]));
  };
  return changed(table);
}

const ui = fileURLToPath(new URL("..", import.meta.url));

/** The file of the texts that are part of the page's first load, in place of those in German. */
async function firstTexts() {
  const contents = `import { en } from "./src/strings/en";
export const de = (${pseudo})(en);
de.page.direction = "rtl";`;
  const options = { bundle: true, format: "esm", write: false, logLevel: "silent" };
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: ui, loader: "ts" } });
  return outputFiles[0].text;
}

/** Gives a later part of the page other texts in place of those in German. */
function withOtherTexts(script) {
  const nameOf = (language) => script.match(new RegExp(`^var (${language}\\d*) = \\{`, "m"))[1];
  return `${script}\nObject.assign(${nameOf("de")}, (${pseudo})(${nameOf("en")}));\n`;
}

/** Serves the language where a tab asks for German. */
export async function speakPseudo(page) {
  const contentType = "text/javascript";
  const first = await firstTexts();
  await page.route("**/de.js", (route) => route.fulfill({ contentType, body: first }));
  await page.route(/\/(?:admin|cards|more)\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: withOtherTexts(await response.text()) });
  });
}

/** What no language translates: names of this server and its users, of protocols and of formats, and units. */
const NAMES = /\b(Say what you know|Begin|Calculate|Paint|Look at it|Write a lot|Try it|model_not_found|assistant|scripted|ada|page|cards\w*|OpenAPI|MCP|turnkit|https:\S+)\b|\d\s(ms|Sek\.|Min\.|Std\.)/gu;

/**
 * Returns the texts on the screen that are in no table. What people and models wrote, what is code, and what the browser
 * formats is in none.
 */
export function foreignTexts(page) {
  // A text may hold another one.
  const isForeign = (text) => /\p{L}{2}/u.test(text.replace(/⟦[^⟦⟧]*⟧/gu, "").replace(/⟦[^⟦⟧]*⟧/gu, "").replace(NAMES, ""));
  return page
    .evaluate(() => {
      const other = "[dir=auto], bdi, pre, code, kbd, time, math, svg, script, style, .chip, .session-group, .tool-name, .tool-names, .tree";
      const found = [];
      for (const element of document.querySelectorAll("body *")) {
        const where = `<${element.localName} ${element.className}>`;
        for (const name of ["aria-label", "title", "placeholder", "alt"]) {
          const text = element.getAttribute(name);
          if (text && !element.closest(".formula, time")) found.push([where, text]);
        }
        if (element.closest(other) || !element.checkVisibility()) continue;
        const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data);
        found.push([where, texts.join("")]);
      }
      return found;
    })
    .then((found) => found.filter(([, text]) => isForeign(text)).map((parts) => parts.join(" ")));
}

/** Returns the texts of the tables that are cut off. */
export function cutTexts(page) {
  return page.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
      const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.includes("⟦"));
      if (!hasText || !element.checkVisibility() || element.closest(".unseen, .skip, select")) continue;
      const isInline = getComputedStyle(element).display === "inline";
      const box = isInline ? element.parentElement : element;
      if (box.scrollWidth > box.clientWidth + 1) {
        found.push(`<${box.localName} ${box.className}> ${element.textContent}: ${box.scrollWidth} in ${box.clientWidth}`);
      }
    }
    return found;
  });
}
