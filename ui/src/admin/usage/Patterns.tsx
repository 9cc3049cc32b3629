/** The number of patterns. */
export const PATTERNS = 7;

/** What is drawn over the colour of each pattern, so that the parts of a bar differ without colours too. */
const SIGNS = [
  "",
  "M0 8L8 0M-2 2L2 -2M6 10L10 6",
  "M2 2h1.5v1.5H2zM6 6h1.5v1.5H6z",
  "M0 4h8",
  "M0 0L8 8M6 -2L10 2M-2 6L2 10",
  "M4 0v8",
  "M0 4h8M4 0v8",
];

/** The patterns of the parts of bars, which `fill` refers to. */
export function Patterns() {
  return (
    <defs>
      {SIGNS.map((sign, index) => (
        <pattern key={index} id={`pattern-${index}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect class={`series-${index}`} width="8" height="8" />
          <path class="sign" d={sign} />
        </pattern>
      ))}
    </defs>
  );
}
