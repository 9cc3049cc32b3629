// Rows of measures, as a table.
//
// A row has `what` was measured, its `figure` in a `unit`, the `most` that it may be if there is a goal, and a `note`,
// such as its range.

/** Reports whether a row reaches its goal. Without a goal it is `undefined`. */
export function isReached({ figure, most, problem }) {
  if (problem !== undefined) return false;
  if (!Number.isFinite(figure)) throw new Error("a row without a problem has no figure");
  return most === undefined ? undefined : figure <= most;
}

function verdict(row) {
  const reached = isReached(row);
  if (row.problem !== undefined) return row.problem;
  return reached === undefined ? "" : reached ? "ok" : "over";
}

/** Returns a table for people. A control is `seen` if it misses its goal, as it has to. */
export function table(rows, { control }) {
  const last = { ok: control ? "NOT SEEN" : "ok", over: control ? "seen" : "OVER" };
  const cells = rows.map((row) => [
    row.measure,
    row.what,
    row.most === undefined ? "" : `≤ ${format(row.most)}`,
    row.figure === undefined ? "" : format(row.figure),
    row.unit ?? "",
    last[verdict(row)] ?? verdict(row),
    row.note ?? "",
  ]);
  const head = ["measure", "what", "goal", control ? "control" : "figure", "unit", "", "note"];
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((line) => line[column].length)));
  const isNumber = (column) => head[column] === "goal" || head[column] === head[3];
  const pad = (cell, column) => (isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]));
  const lines = [head, widths.map((width) => "-".repeat(width)), ...cells];
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

function format(number) {
  return number.toLocaleString("en", { maximumFractionDigits: Math.abs(number) < 10 ? 1 : 0 });
}
