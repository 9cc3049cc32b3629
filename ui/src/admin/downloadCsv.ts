import { download } from "../later/download";
import { type Cell, toCsv } from "./csv";

/** Offers rows as a file. The mark at its start tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, rows: Cell[][]): void {
  download(name, new Blob(["\ufeff", toCsv(rows)], { type: "text/csv;charset=utf-8" }));
}
