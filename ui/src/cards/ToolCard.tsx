import { useState } from "preact/hooks";
import { formatSpan } from "../later/duration";
import { loadPart, type WholePart } from "../later/wholeText";
import {
  type Call,
  type Conversation,
  type PartView,
  position,
  stateOf,
  strings,
  type ToolView,
  type TurnView,
  type WaitView,
} from "../shared";
import { ChildTurn } from "./ChildTurn";
import { Content } from "./Content";
import { Images } from "./data/Images";
import { Payload } from "./data/Payload";
import { reveal } from "./reveal";
import { words } from "./strings";
import { useElapsed } from "./useElapsed";

interface ToolCardProps {
  conversation: Conversation;
  view: TurnView;
  call: Call;
}

/** A call of a tool. Its line says how far it is; what it was given and returned is shown when it is opened. */
export function ToolCard({ conversation, view, call }: ToolCardProps) {
  const [isOpen, setOpen] = useState(false);
  const state = stateOf(conversation, call, view.status !== undefined);
  const { id, part, tool } = call;
  const elapsed = useElapsed(state === "running", beginOf(view, id));
  const progress = state === "running" ? conversation.progress.value.get(id) : undefined;
  const waits = (view.waits ?? []).filter((wait) => wait.call_id === id);
  const ms = state === "running" ? elapsed && Math.floor(elapsed / 1_000) * 1_000 : tool?.ms;
  return (
    <details class={`call ${state}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="tool-name">{reveal(tool?.name || part.name || "")}</span>
        <span class="tool-state">{strings.value.tool[state]}</span>
        {/* A call of less than a millisecond takes no time worth a number. */}
        {Boolean(ms) && <span class="tool-time">{formatSpan(ms ?? 0)}</span>}
        {progress && (
          <span class="tool-progress" dir="auto">
            {reveal(progress)}
          </span>
        )}
      </summary>
      {/* What was loaded before the call ended lacks its result. */}
      {isOpen && <Body key={tool?.ok} turn={view.turn_id} call={call} waits={waits} />}
      {waits.map((wait) => wait.child && <ChildTurn key={wait.id} conversation={conversation} child={wait.child} />)}
    </details>
  );
}

/** Returns when the calls of a step could begin: when the answer of the model with them had ended. */
function beginOf(view: TurnView, call: string): number | undefined {
  const [step] = position(call);
  const { began_at, ms } = view.steps.find((other) => other.step === step) ?? {};
  const isDecided = view.waits?.some((wait) => wait.call_id === call && wait.kind !== "child");
  return began_at && ms !== undefined && !isDecided ? Date.parse(began_at) + ms : undefined;
}

function Body({ turn, call, waits }: { turn: string; call: Call; waits: WaitView[] }) {
  const { tool: texts } = words.value;
  const [whole, setWhole] = useState<WholePart>();
  const isCut = (call.tool ?? call.part).more && !whole;
  const part = (call.part.more && whole?.part) || call.part;
  const tool = (call.tool?.more && whole?.tool) || call.tool;
  const given = argumentsOf(part, tool);
  const load = async () => {
    const loaded = await loadPart(turn, part.part_id);
    setWhole(loaded);
    return loaded;
  };
  // What the server cut has to be loaded before it is shown or copied.
  const loadOf = (read: (whole: WholePart) => string | undefined) => {
    return isCut ? async () => read(await load()) ?? "" : undefined;
  };
  return (
    <div class="tool-body">
      {!isEmpty(given) && (
        <Content
          title={texts.arguments}
          text={given}
          load={loadOf((whole) => argumentsOf(whole.part, whole.tool))}
        />
      )}
      {waits.some((wait) => wait.decided?.arguments) && <p class="remark">{texts.changed}</p>}
      {tool?.content !== undefined && (
        <Content
          title={tool.ok ? texts.result : texts.error}
          text={tool.content}
          load={loadOf((whole) => whole.tool?.content)}
        />
      )}
      {tool?.images && <Images images={tool.images} />}
      {tool?.data && <Payload data={tool.data} />}
    </div>
  );
}

/** Returns the arguments with which a call ran, or those that the model wrote. */
function argumentsOf(part: PartView, tool: ToolView | undefined): string {
  return tool?.arguments || part.text;
}

/** Whether there are no arguments to show. */
function isEmpty(text: string): boolean {
  return /^[\s{}]*$/.test(text);
}
