/** Characters that are not seen, or that change the order in which others are seen. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The server's limit, with room for characters of several bytes. */
const MOST = 80;

/** Returns the name of a file without folders, and without characters that would make it look like another name. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const seen = last.replace(UNSEEN, "").trim();
  if (/^\.*$/.test(seen)) return "file";
  if (seen.length <= MOST) return seen;
  const ending = /\.[^.]{1,10}$/.exec(seen)?.[0] ?? "";
  return `${[...seen].slice(0, MOST - ending.length).join("")}${ending}`;
}
