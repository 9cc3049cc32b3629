import { formatNumber } from "../../shared";
import { words } from "../strings";
import { colourOf, type ContextPart } from "./report";

interface MeterProps {
  parts: ContextPart[];
  used: number;
  limit: number | undefined;
}

/** A bar of what the next request would hold, up to its limit. */
export function Meter({ parts, used, limit }: MeterProps) {
  const { context } = words.value;
  const estimated = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const free = Math.max(0, (limit ?? used) - used);
  const segments = (
    <>
      {parts.map(({ category, tokens }) => (
        <Segment key={category} colour={colourOf(category)} size={(tokens / estimated) * used} />
      ))}
      {free > 0 && <Segment colour="free" size={free} />}
    </>
  );
  // Without a limit there is nothing to measure against.
  if (!limit) {
    return (
      <div class="context-meter" aria-hidden="true">
        {segments}
      </div>
    );
  }
  return (
    <div
      class="context-meter"
      role="meter"
      aria-label={context.meter}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={context.meterText(formatNumber(used), formatNumber(limit))}
    >
      {segments}
    </div>
  );
}

function Segment({ colour, size }: { colour: string; size: number }) {
  const grow = (element: HTMLElement | null) => {
    if (element) element.style.flexGrow = String(size);
  };
  return <span ref={grow} class={`context-${colour}`} />;
}
