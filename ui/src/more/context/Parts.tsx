import { formatNumber, locale, visible } from "../../shared";
import { words } from "../strings";
import { colourOf, type ContextPart, type ContextReport } from "./report";

interface PartsProps {
  parts: ContextPart[];
  report: ContextReport;
}

/** The parts of the next request with their tokens, and with their share of what it may hold. */
export function Parts({ parts, report: { used, limit, request } }: PartsProps) {
  const { context } = words.value;
  const most = limit ?? used;
  const count = ({ category, items }: ContextPart) => (category === "history" ? request.messages.length : items.length);
  const row = (name: string, colour: string, tokens: number) => (
    <tr key={name}>
      <th scope="row">
        <span class={`context-key context-${colour}`} />
        {name}
      </th>
      <td>{formatNumber(tokens)}</td>
      <td>{formatShare(tokens / most)}</td>
    </tr>
  );
  return (
    <>
      <table class="context-parts">
        <caption class="unseen">{context.parts}</caption>
        <thead>
          <tr>
            <th scope="col">{context.part}</th>
            <th scope="col">{context.count}</th>
            <th scope="col">{context.share}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => row(nameOf(part.category, count(part)), colourOf(part.category), part.tokens))}
          {limit && limit > used && row(context.free, "free", limit - used)}
        </tbody>
      </table>
      <Pieces parts={parts} />
    </>
  );
}

/** The pieces of instructions, and the tools. */
function Pieces({ parts }: { parts: ContextPart[] }) {
  const { context } = words.value;
  const pieces = parts.filter(({ category }) => category !== "history" && category !== "reserve");
  if (pieces.length === 0) return null;
  return (
    <details>
      <summary>{context.pieces}</summary>
      <table class="context-parts">
        <caption class="unseen">{context.pieces}</caption>
        <thead>
          <tr>
            <th scope="col">{context.source}</th>
            <th scope="col">{context.count}</th>
          </tr>
        </thead>
        {pieces.map(({ category, items }) => (
          <tbody key={category}>
            {items.map(({ source, tokens }, index) => (
              <tr key={index}>
                <th scope="row">
                  <span class={`context-key context-${colourOf(category)}`} />
                  <span dir="auto">{visible(source)}</span> <span class="remark">{nameOf(category, 1)}</span>
                </th>
                <td>{formatNumber(tokens)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </details>
  );
}

/** Returns what a kind of pieces is called, with their number where there are several. A newer server may know others. */
function nameOf(category: string, count: number): string {
  const names: Record<string, string> = words.value.context.kinds;
  const name = (Object.hasOwn(names, category) && names[category]) || visible(category);
  return count > 1 ? `${name} (${formatNumber(count)})` : name;
}

/** Formats a share in percent. */
export function formatShare(share: number): string {
  const digits = share < 0.01 ? 2 : share < 0.1 ? 1 : 0;
  const options: Intl.NumberFormatOptions = { style: "percent", maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale.value, options).format(share);
}
