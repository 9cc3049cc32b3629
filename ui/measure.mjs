// Measures the page, and compares it with its goals.
//
//   TURNKIT_BINARY=… TURNKIT_BROWSER=… node measure.mjs            every measure
//   node measure.mjs stream tabs                                   some of them
//   node measure.mjs --control                                     what must miss its goals, to see that it is noticed
//
//   --json     writes the rows for programs
//   --check    ends with 1 if a goal is not reached, or with --control if one is
//   --others   installs other pages from npm into a temporary folder, and measures them, too
//
// Times depend on the machine: run it where nothing else runs.

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import * as answers from "./measure/answers.mjs";
import * as load from "./measure/load.mjs";
import * as others from "./measure/others.mjs";
import * as program from "./measure/program.mjs";
import * as session from "./measure/session.mjs";
import * as sizes from "./measure/sizes.mjs";
import { stopAll, within } from "./measure/stage.mjs";
import { isReached, table } from "./measure/table.mjs";
import * as tabs from "./measure/tabs.mjs";

const MEASURES = { sizes, load, answers, session, tabs, program };

const FLAG = { type: "boolean", default: false };
const OPTIONS = { control: FLAG, json: FLAG, check: FLAG, others: FLAG };

function read() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const unknown = positionals.filter((name) => !(name in MEASURES));
  if (unknown.length > 0) {
    throw new Error(`there is no measure ${unknown.join(", ")}: there are ${Object.keys(MEASURES).join(", ")}`);
  }
  const names = positionals.length > 0 ? positionals : Object.keys(MEASURES);
  return { ...values, measures: names.map((name) => [name, MEASURES[name]]) };
}

/** Returns the rows of a measure. One that fails is a row too, so that the others are still measured. */
async function rowsOf(name, { PATIENCE_S, measure }, options) {
  try {
    const rows = await within(PATIENCE_S, () => measure(options));
    return rows.map((row) => ({ measure: name, ...row }));
  } catch (error) {
    return [{ measure: name, what: "not measured", problem: error.message.split("\n")[0] }];
  }
}

async function main() {
  const { control, json, check, others: withOthers, measures } = read();
  if (withOthers) measures.push(["others", others]);
  const rows = [];
  for (const [name, measure] of measures) {
    if (!json) console.error(`${name} …`);
    rows.push(...(await rowsOf(name, measure, { control })));
  }
  const machine = `${cpus().length} × ${cpus()[0].model}`;
  if (json) {
    const judged = rows.map((row) => ({ ...row, reached: isReached(row) }));
    console.log(JSON.stringify({ machine, control, rows: judged }, null, 2));
  } else console.log(table(rows, { control }));
  // A control that reaches its goal shows that the measure would miss a page that does not.
  const isWrong = (row) => row.problem !== undefined || isReached(row) === control;
  if (check && rows.some(isWrong)) process.exitCode = 1;
}

// Their servers and browsers would outlive this program.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stopAll().finally(() => process.exit(130)));
await main();
