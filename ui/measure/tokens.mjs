// The tokens of an answer as models write it: paragraphs, lists, a table and code.

const WORDS = "The order was sent on Monday and arrives within three days if the address is complete".split(" ");

const SPECIAL = [
  "\n\n## The next part\n\n",
  "\n\n- **one** thing\n- another `thing`\n- a [link](https://example.com)\n\n",
  "\n\n```js\nconst total = items.length;\nreturn total;\n```\n\n",
  "\n\n| now | later |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n",
];

/** The number of words between what is not a paragraph. */
const PARAGRAPH = 80;

/** Returns this many tokens, always the same. */
export function tokens(count) {
  const all = [];
  for (let part = 0; all.length < count; part += 1) {
    for (let word = 0; word < PARAGRAPH; word += 1) all.push(`${WORDS[(word * 7 + part) % WORDS.length]} `);
    all.push(...SPECIAL[part % SPECIAL.length].split(/(?= )|(?<=\n)/));
  }
  return all.slice(0, count);
}
