import { type Call, type CallState, type Conversation, formatNumber, stateOf, type TurnView } from "../shared";
import { reveal } from "./reveal";
import { words } from "./strings";
import { ToolCard } from "./ToolCard";

interface ToolCallsProps {
  conversation: Conversation;
  view: TurnView;
  /** Neighbouring calls of one step. */
  calls: Call[];
}

/** The calls of a step: one as a card, several as cards under one line. */
export function ToolCalls({ conversation, view, calls }: ToolCallsProps) {
  const cards = calls.map((call) => <ToolCard key={call.id} conversation={conversation} view={view} call={call} />);
  if (calls.length < 2) return <>{cards}</>;
  const names = new Set(calls.map(({ part, tool }) => tool?.name || part.name || ""));
  const isOver = view.status !== undefined;
  const states = calls.map((call) => stateOf(conversation, call, isOver));
  return (
    <details class="call-group">
      <summary>
        <span>{words.value.tool.group(formatNumber(calls.length), count(states))}</span>
        <span class="tool-names">{reveal([...names].join(", "))}</span>
      </summary>
      <div class="call-group-cards">{cards}</div>
    </details>
  );
}

const ORDER: CallState[] = ["waiting", "running", "writing", "done", "failed", "denied"];

/** Says how many calls are in each state. */
function count(states: CallState[]): string {
  const texts = words.value.tool.states;
  return ORDER.flatMap((state) => {
    const { length } = states.filter((other) => other === state);
    return length > 0 ? [texts[state](formatNumber(length))] : [];
  }).join(" · ");
}
