/** A part of a text that can be read without the others. */
export interface Section {
  raw: string;
  kind: "text" | "code" | "plain";
}

/** A block of code, which may be open at the end; or what ends with an empty line or before code. */
const SECTION =
  /^(`{3,}(?=[^`\n]*$)|~{3,})[^]*?(?:^ {0,3}\1[`~]*[ \t]*$\n?|$(?![^]))|[^]+?(?:^[ \t]*\n|(?=^(?:`{3,}[^`\n]*$|~{3,}))|$(?![^]))/gm;

/** The longest section that is read as markdown, in characters. */
const LONGEST = 64 * 1024;

/** The deepest nesting of quotes and lists. The lexer takes seconds for a few hundred levels. */
const DEEPEST = 32;

/** How many characters of a text the lexer may look at, which takes it a fifth of a second. */
const MOST_LOOKS = 2_000_000;

/** What a line costs, in looks. */
const LINE = 400;

/** The lexer looks for the end of a name in an address of mail from each of its characters. */
const LONG_NAME = /[^\s@]{256}@/;

/** Cuts a text into sections. One is plain if the lexer would take too long for it: it is only looked at once. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let looks = 0;
  for (const [raw, fence] of text.matchAll(SECTION)) {
    const added = looksAt(raw, fence !== undefined);
    const isPlain = looks + added > MOST_LOOKS;
    const kind = isPlain ? "plain" : fence ? "code" : "text";
    const last = sections.at(-1);
    if (!isPlain) looks += added;
    // Empty lines do not end a list.
    if (last?.kind === kind && !fence) last.raw += raw;
    else sections.push({ raw, kind });
  }
  return sections;
}

/** Returns about how many characters the lexer would look at. */
function looksAt(section: string, isCode: boolean): number {
  if (section.length > LONGEST) return Infinity;
  if (isCode) return 0;
  if (LONG_NAME.test(section) || isTooDeep(section)) return Infinity;
  // It compares the marks of a section with each other.
  const own = count(section, /\n/g) * LINE + count(section, /[*_~`[\]<!\\]/g) ** 2 / 8;
  // For each mark that may begin emphasis, it looks at the whole paragraph, of which each item of a list is one.
  const emphasis = (part: string) => count(part, /[*~](?=[^\s*~])|(?<!\w)_(?=\S)/g) * part.length;
  return section.split(/^(?= {0,3}[-+*] )/m).reduce((looks, part) => looks + emphasis(part), own);
}

/** Reports whether a line begins deeper than any text for people. */
function isTooDeep(text: string): boolean {
  const beginnings = text.match(/^[\t >*+\-\d.)]{32,}/gm) ?? [];
  return beginnings.some((line) => /\S/.test(line) && count(line, />|\t| {2}|[*+-](?= )|\d+[.)](?= )/g) > DEEPEST);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
