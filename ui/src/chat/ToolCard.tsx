import { useState } from "preact/hooks";
import { indent } from "../elements/json";
import { visible } from "../markdown/links";
import type { PartView, ToolView } from "../net";
import type { Conversation } from "../state/conversation";
import { formatNumber, strings } from "../strings";

/** The length of a text that is shown without being asked for. */
const SHOWN = 20_000;

interface ToolCardProps {
  conversation: Conversation;
  /** The id of the call. */
  call: string;
  /** The call as the model wrote it. */
  part: PartView;
  /** The call as it ran, from its beginning. */
  tool: ToolView | undefined;
  /** Whether the turn has ended. */
  isOver: boolean;
}

type State = "writing" | "waiting" | "running" | "done" | "failed" | "denied";

/** A call of a tool: its arguments, its progress, its result. */
export function ToolCard({ conversation, call, part, tool, isOver }: ToolCardProps) {
  const words = strings.value.tool;
  // The id of an interaction is that of its call and one number more.
  const isWaiting = conversation.pending.value.some(({ id }) => id.startsWith(`${call}.`));
  const state = stateOf(tool, isWaiting, isOver);
  const progress = state === "running" ? conversation.progress.value.get(call) : undefined;
  const written = tool?.arguments || part.text;
  return (
    <details class={`tool ${state}`}>
      <summary>
        <span class="tool-name">{visible(tool?.name || part.name || "")}</span>
        <span class="tool-state">{words[state]}</span>
        {progress && <span class="tool-progress">{visible(progress)}</span>}
      </summary>
      <Content title={words.arguments} text={indent(written)} />
      {tool?.content !== undefined && <Content title={words.result} text={indent(tool.content)} />}
      {tool?.data && <Content title={words.data} text={JSON.stringify(tool.data.payload, null, 2)} />}
      {tool?.more && <p class="remark">{strings.value.chat.cut}</p>}
    </details>
  );
}

function stateOf(tool: ToolView | undefined, isWaiting: boolean, isOver: boolean): State {
  if (tool?.ok === true) return "done";
  if (tool?.ok === false) return tool.error === "denied" ? "denied" : "failed";
  if (isOver) return "failed";
  if (isWaiting) return "waiting";
  return tool ? "running" : "writing";
}

function Content({ title, text }: { title: string; text: string }) {
  const [isWhole, setWhole] = useState(false);
  const words = strings.value.tool;
  const isCut = text.length > SHOWN && !isWhole;
  return (
    <section>
      <p class="label">{title}</p>
      <pre tabIndex={0} dir="auto">
        {visible(isCut ? text.slice(0, SHOWN) : text)}
      </pre>
      {isCut && (
        <p class="remark">
          {words.shortened(formatNumber(SHOWN), formatNumber(text.length))}{" "}
          <button type="button" class="quiet" onClick={() => setWhole(true)}>
            {words.showAll}
          </button>
        </p>
      )}
    </section>
  );
}
