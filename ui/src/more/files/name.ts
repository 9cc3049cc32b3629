import { withoutUnseen } from "../../shared";

/** The server's limit, with room for characters of several bytes. */
const MOST = 80;

/** Returns the name of a file without folders, and without characters that would make it look like another name. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const seen = withoutUnseen(last).trim();
  if (/^\.*$/.test(seen)) return "file";
  if (seen.length <= MOST) return seen;
  const ending = /\.[^.]{1,10}$/.exec(seen)?.[0] ?? "";
  return `${[...seen].slice(0, MOST - ending.length).join("")}${ending}`;
}
