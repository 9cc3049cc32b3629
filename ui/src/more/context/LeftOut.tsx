import { formatNumber, visible } from "../../shared";
import { words } from "../strings";
import type { ContextItem, ContextReport } from "./report";

/** What the next request lacks: sources that failed, and pieces that were shortened. */
export function LeftOut({ report }: { report: ContextReport }) {
  const { context } = words.value;
  const cut = report.items.filter((item) => item.cut);
  if (cut.length + report.left_out.length === 0) return null;
  return (
    <>
      <h3>{context.leftOut}</h3>
      <ul class="context-left-out">
        {report.left_out.map(({ source, why }, index) => (
          <li key={`failed ${index}`}>
            <span dir="auto">{visible(source)}</span>: <span lang="en">{visible(why)}</span>
          </li>
        ))}
        {cut.map((item, index) => (
          <li key={`cut ${index}`}>
            <span dir="auto">{visible(item.source)}</span>: {describe(item)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Describes how a piece was shortened, and why. */
function describe({ tokens, cut }: ContextItem): string {
  const { context } = words.value;
  const reasons: Record<string, string> = context.reasons;
  const { from = 0, why = "" } = cut ?? {};
  const before = formatNumber(from);
  const change = tokens > 0 ? context.shortened(before, formatNumber(tokens)) : context.dropped(before);
  return Object.hasOwn(reasons, why) ? `${change} ${reasons[why]}` : change;
}
