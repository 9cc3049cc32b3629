import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Cell } from "../csv";

export interface Column<Row> {
  key: string;
  label: string;
  cell(row: Row): ComponentChildren;
  /** The value in a CSV file, by which the rows are also sorted. */
  value?(row: Row): Cell;
  isNumber?: boolean;
}

interface TableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string;
  /** Whether the rows are all that there are: only then is sorting them true. */
  isComplete?: boolean;
}

interface Order {
  key: string;
  isDescending: boolean;
}

/** A table, whose rows are cards where the screen is narrow. The first column names the row. */
export function Table<Row>({ caption, columns, rows, keyOf, isComplete = false }: TableProps<Row>) {
  const [order, setOrder] = useState<Order>();
  const sorted = isComplete && order ? sort(rows, columns, order) : rows;
  const turn = (column: Column<Row>) => {
    const isDescending = order?.key === column.key ? !order.isDescending : column.isNumber === true;
    setOrder({ key: column.key, isDescending });
  };
  // The roles are those that the elements have by themselves, and lose when the rows are drawn as cards.
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0}>
      <table role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                class={column.isNumber ? "number" : undefined}
                aria-sort={order?.key !== column.key ? undefined : order.isDescending ? "descending" : "ascending"}
              >
                {isComplete && column.value ? (
                  <button type="button" class="sort" onClick={() => turn(column)}>
                    {column.label}
                  </button>
                ) : (
                  column.label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sorted.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column, index) => {
                const shown = {
                  class: column.isNumber ? "number" : undefined,
                  "data-label": column.label,
                };
                return index === 0 ? (
                  <th key={column.key} role="rowheader" scope="row" {...shown}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} role="cell" {...shown}>
                    {column.cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the lines of a CSV file with the columns that have values. */
export function csvOf<Row>(columns: Column<Row>[], rows: Row[]): Cell[][] {
  const written = columns.filter((column) => column.value);
  return [written.map((column) => column.label), ...rows.map((row) => written.map((column) => column.value?.(row)))];
}

function sort<Row>(rows: Row[], columns: Column<Row>[], { key, isDescending }: Order): Row[] {
  const value = columns.find((column) => column.key === key)?.value;
  if (!value) return rows;
  const compare = (a: Cell, b: Cell) => {
    return typeof a === "number" && typeof b === "number" ? a - b : String(a ?? "").localeCompare(String(b ?? ""));
  };
  return rows.toSorted((a, b) => compare(value(a), value(b)) * (isDescending ? -1 : 1));
}
