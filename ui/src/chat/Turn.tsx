import type { ReadonlySignal } from "@preact/signals";
import { CopyButton } from "../elements/CopyButton";
import { Markdown } from "../markdown/Markdown";
import type { Part, PartView, RemarkView, SteeredView, ToolView, TurnView } from "../net";
import type { Conversation } from "../state/conversation";
import { formatDollars, formatNumber, formatDuration, formatTime, strings } from "../strings";
import { Reasoning } from "./Reasoning";
import { ToolCard } from "./ToolCard";

interface TurnProps {
  conversation: Conversation;
  turn: ReadonlySignal<TurnView>;
}

/** A turn: the user's message, and what came of it. */
export function Turn({ conversation, turn }: TurnProps) {
  const view = turn.value;
  // The turn of a message that another turn took, and turns of the service, have nothing to show.
  if (view.steered_into || (view.input.length === 0 && view.parts.length === 0 && view.remarks.length === 0)) return null;
  return (
    <article class="turn" id={`t-${view.turn_id}`} aria-label={formatTime(view.accepted_at)}>
      <UserMessage parts={view.input} />
      {piecesOf(view).map(({ key, piece }) => (
        <Piece key={key} conversation={conversation} view={view} piece={piece} />
      ))}
      {view.status && <Footer view={view} />}
    </article>
  );
}

type Piece =
  | { kind: "part"; part: PartView; call: string; tool: ToolView | undefined }
  | { kind: "steered"; steered: SteeredView }
  | { kind: "remark"; remark: RemarkView };

/** Returns what the turn shows, in the order in which it happened. */
function piecesOf(view: TurnView): { key: string; since: number; piece: Piece }[] {
  const ordinals = new Map<string, number>();
  const parts = view.parts.map((part) => {
    const step = part.part_id.split(".")[0] ?? "";
    const ordinal = ordinals.get(step) ?? 0;
    if (part.type === "tool_call") ordinals.set(step, ordinal + 1);
    // The id of a call ends with its step and its number among the calls of the step.
    const call = `${view.turn_id}.${step}.${ordinal}`;
    const tool = view.tools.find((tool) => tool.call_id === call);
    return { key: `part ${part.part_id}`, since: part.since, piece: { kind: "part", part, call, tool } as const };
  });
  const steered = (view.steered ?? []).map((steered) => {
    return { key: `steered ${steered.since}`, since: steered.since, piece: { kind: "steered", steered } as const };
  });
  const remarks = view.remarks.map((remark, index) => {
    return { key: `remark ${index}`, since: remark.since, piece: { kind: "remark", remark } as const };
  });
  return [...parts, ...steered, ...remarks].sort((a, b) => a.since - b.since);
}

function Piece({ conversation, view, piece }: { conversation: Conversation; view: TurnView; piece: Piece }) {
  if (piece.kind === "steered") return <UserMessage parts={piece.steered.input} />;
  if (piece.kind === "remark") return <Remark remark={piece.remark} />;
  const { part, call, tool } = piece;
  const isOver = part.ended || view.status !== undefined;
  switch (part.type) {
    case "text":
      return part.text === "" ? null : (
        <>
          <Markdown text={part.text} ended={isOver} />
          {part.more && <p class="remark">{strings.value.chat.cut}</p>}
        </>
      );
    case "reasoning":
      return <Reasoning text={part.text} ended={isOver} />;
    case "tool_call":
      return <ToolCard conversation={conversation} call={call} part={part} tool={tool} isOver={view.status !== undefined} />;
    case "image":
      return <p class="remark">{strings.value.chat.image}</p>;
    case "provider_tool":
      return <p class="remark">{part.name}</p>;
  }
}

function UserMessage({ parts }: { parts: Part[] }) {
  if (parts.length === 0) return null;
  return (
    <div class="user" role="group" aria-label={strings.value.chat.you}>
      {parts.map((part, index) => (
        <UserPart key={index} part={part} />
      ))}
    </div>
  );
}

function UserPart({ part }: { part: Part }) {
  switch (part.type) {
    case "text":
      return (
        <p class="plain" dir="auto">
          {part.text}
        </p>
      );
    case "file":
      return <span class="chip">{part.name}</span>;
    case "context":
      return <span class="chip">{part.source}</span>;
    case "image":
      return <span class="chip">{strings.value.chat.image}</span>;
    default:
      return null;
  }
}

function Remark({ remark }: { remark: RemarkView }) {
  return (
    <p class={remark.error ? "remark error" : "remark"} dir="auto">
      {remark.code === "redone" ? strings.value.chat.redone : remark.text}
    </p>
  );
}

/** How the turn ended, who answered, and what it cost. */
function Footer({ view }: { view: TurnView }) {
  const { turn, status } = strings.value;
  const answer = view.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  const step = view.steps.at(-1);
  const tokens = view.usage ? view.usage.fresh + view.usage.cache_read + view.usage.cache_write + view.usage.output : 0;
  const facts = [
    view.status && view.status !== "completed" && status.ended[view.status],
    view.agent,
    step?.model,
    view.steps[0]?.first_ms !== undefined && turn.firstToken(formatDuration(view.steps[0].first_ms)),
    tokens > 0 && turn.tokens(formatNumber(tokens)),
    view.cost && view.cost.nano_usd > 0 && turn.cost(formatDollars(view.cost.nano_usd)),
    view.cost && view.cost.unpriced_calls > 0 && turn.unpriced,
  ];
  return (
    <footer class="turn-footer">
      <span>{facts.filter(Boolean).join(" · ")}</span>
      {answer && <CopyButton text={answer} />}
    </footer>
  );
}
