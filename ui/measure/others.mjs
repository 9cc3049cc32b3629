// Pages with other libraries, measured as this one is: what they load, until when, and how they follow an answer.

import { say } from "../tests/browser.mjs";
import { COUNT, follow, PER_SECOND, prepareToFollow } from "./follow.mjs";
import { summary } from "./numbers.mjs";
import { built } from "./others/build.mjs";
import { host } from "./others/host.mjs";
import { visit } from "./stage.mjs";
import { tokens } from "./tokens.mjs";
import { noteTypable, whenTypable } from "./typable.mjs";

export const PATIENCE_S = 1_200;

const RUNS = 7;

const REACT = ["react@19.3.1", "react-dom@19.3.1"];

const PAGES = {
  "assistant-ui": [
    ...REACT,
    "@ag-ui/client@0.0.59",
    "@assistant-ui/react@0.15.21",
    "@assistant-ui/react-ag-ui@0.0.57",
    "@assistant-ui/react-streamdown@0.3.13",
  ],
  "ai-sdk": [...REACT, "@ai-sdk/react@4.0.177", "ai@7.0.173", "streamdown@2.7.1", "use-stick-to-bottom@1.1.6"],
};

/** A comparison has no goal, and so no control. */
export async function measure({ control }) {
  if (control) return [];
  const rows = [];
  for (const [name, packages] of Object.entries(PAGES)) {
    try {
      rows.push(...(await rowsOf(name, await built(name, packages))));
    } catch (error) {
      // The other page is measured nevertheless.
      rows.push({ what: `${name}: not measured`, problem: error.message.split("\n")[0] });
    }
  }
  return rows;
}

/** The least pages have no styles, so that they have less to lay out and to paint than a page that people use. */
async function rowsOf(name, page) {
  const fast = await observe(page, 1);
  const slow = await observe(page, 4);
  return [
    { what: `${name}: first load`, figure: page.firstLoad, unit: "bytes", note: "scripts alone, without styles" },
    { what: "… cold load until one can type", unit: "ms", ...summary(await coldLoads(page)) },
    {
      what: `… ${COUNT.toLocaleString("en")} tokens at ${PER_SECOND}/s: main thread`,
      figure: fast.share,
      unit: "% CPU",
      note: `longest task ${Math.round(fast.longest)} ms`,
    },
    { what: "… dropped frames", ...fast.frames, unit: "%" },
    { what: "… key to paint, p98", ...fast.keys, unit: "ms" },
    { what: "… end late by", figure: fast.late, unit: "ms" },
    { what: "… at 4× slow-down: dropped frames", ...slow.frames, unit: "%" },
    { what: "… key to paint, p98", ...slow.keys, unit: "ms" },
    { what: "… end late by", figure: slow.late, unit: "ms" },
  ];
}

async function coldLoads(page) {
  const url = await host(page, []);
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const person = await visit(url, { prepare: noteTypable, isForeign: true });
    times.push(await whenTypable(await person.open()));
    await person.leave();
  }
  return times;
}

async function observe(page, slowDown) {
  let sent;
  const url = await host(page, tokens(COUNT), () => {
    sent = Date.now();
  });
  const person = await visit(url, { isForeign: true });
  await prepareToFollow(person);
  const followed = await follow(await person.open(), { slowDown, begin });
  await person.leave();
  return { ...followed, late: followed.seen - sent };
}

async function begin(page) {
  await say(page, "Write");
  await page.getByRole("status").filter({ hasText: "Writing" }).waitFor();
}
