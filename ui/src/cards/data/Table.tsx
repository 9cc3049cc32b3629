import { useState } from "preact/hooks";
import { formatNumber } from "../../shared";
import { reveal } from "../reveal";
import { words } from "../strings";
import type { TableData } from "./read";

/** How many rows are shown without being asked for. */
const SHOWN = 100;

/** A table of a result. */
export function Table({ table: { columns, rows } }: { table: TableData }) {
  const [isWhole, setWhole] = useState(false);
  const { tool } = words.value;
  const shown = isWhole ? rows : rows.slice(0, SHOWN);
  return (
    <section>
      <p class="label">{tool.data}</p>
      <div class="table-frame" role="region" aria-label={tool.data} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} scope="col" dir="auto">
                  {reveal(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} class={typeof cell === "number" ? "is-number" : undefined} dir="auto">
                    {cellText(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <p class="remark">
          {tool.rows(formatNumber(SHOWN), formatNumber(rows.length))}{" "}
          <button type="button" class="quiet" onClick={() => setWhole(true)}>
            {tool.showAll}
          </button>
        </p>
      )}
    </section>
  );
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  return reveal(typeof cell === "string" ? cell : JSON.stringify(cell));
}
