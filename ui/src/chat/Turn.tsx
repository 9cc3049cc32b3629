import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { visible } from "../markdown/links";
import { Markdown } from "../markdown/Markdown";
import type { Part, PartView, SteeredView, TurnView } from "../net";
import type { Conversation } from "../state/conversation";
import { more } from "../state/later";
import { formatTime, strings } from "../strings";
import type { Call } from "./callState";
import { Attachments, ToolCalls } from "./Later";
import { Reasoning } from "./Reasoning";
import type { Viewport } from "./viewport";

interface TurnProps {
  conversation: Conversation;
  viewport: Viewport;
  turn: ReadonlySignal<TurnView>;
}

/** A turn: the user's message, and what came of it. */
export function Turn({ conversation, viewport, turn }: TurnProps) {
  const view = turn.value;
  const Later = more.value;
  // The turn of a message that another turn took, and turns of the service, have nothing to show.
  if (view.steered_into || (view.input.length === 0 && view.parts.length === 0 && view.remarks.length === 0)) {
    return null;
  }
  return (
    <article class="turn" id={`t-${view.turn_id}`} aria-label={formatTime(view.accepted_at)}>
      <UserMessage view={view} parts={view.input}>
        {Later && view.status && <Later.EditMessage conversation={conversation} view={view} />}
      </UserMessage>
      <TurnPieces conversation={conversation} view={view} />
      {view.status && (
        <footer class="turn-footer">
          {Later && <Later.TurnFooter conversation={conversation} viewport={viewport} view={view} />}
        </footer>
      )}
    </article>
  );
}

/** What came of the user's message. */
export function TurnPieces({ conversation, view }: { conversation: Conversation; view: TurnView }) {
  const Later = more.value;
  return (
    <>
      {piecesOf(view).map(({ key, piece }) => (
        <Piece key={key} conversation={conversation} view={view} piece={piece} />
      ))}
      {Later ? (
        <Later.Notices remarks={view.remarks} />
      ) : (
        view.remarks.map(({ text }, index) => <p key={index}>{text}</p>)
      )}
    </>
  );
}

type Piece =
  | { kind: "part"; part: PartView }
  | { kind: "calls"; calls: Call[] }
  | { kind: "steered"; steered: SteeredView };

interface Placed {
  key: string;
  /** The step that the piece belongs to. */
  step: number;
  piece: Piece;
}

/** Returns what the turn shows, in the order in which it happened. */
function piecesOf(view: TurnView): Placed[] {
  const ordinals = new Map<number, number>();
  let last: { step: number; calls: Call[] } | undefined;
  const parts = view.parts.flatMap((part): Placed[] => {
    const key = `part ${part.part_id}`;
    const step = Number.parseInt(part.part_id);
    if (part.type !== "tool_call") {
      last = undefined;
      return [{ key, step, piece: { kind: "part", part } }];
    }
    const ordinal = ordinals.get(step) ?? 0;
    ordinals.set(step, ordinal + 1);
    // The id of a call ends with its step and its number among the calls of the step.
    const id = `${view.turn_id}.${step}.${ordinal}`;
    const call = { id, part, tool: view.tools.find((tool) => tool.call_id === id) };
    if (last?.step === step) {
      last.calls.push(call);
      return [];
    }
    last = { step, calls: [call] };
    return [{ key, step, piece: { kind: "calls", calls: last.calls } }];
  });
  const steered = (view.steered ?? []).map((steered, index) => {
    return { key: `steered ${index}`, step: steered.after_step, piece: { kind: "steered", steered } as const };
  });
  // The numbers of events go with the log of the turn, and steps stay.
  return [...parts, ...steered].sort((a, b) => a.step - b.step);
}

function Piece({ conversation, view, piece }: { conversation: Conversation; view: TurnView; piece: Piece }) {
  if (piece.kind === "steered") return <UserMessage view={view} parts={piece.steered.input} />;
  if (piece.kind === "calls") return <ToolCalls conversation={conversation} view={view} calls={piece.calls} />;
  const { part } = piece;
  const isOver = part.ended || view.status !== undefined;
  const { text, rest } = textOf(view, part);
  switch (part.type) {
    case "text":
      return part.text === "" ? null : (
        <>
          {/* What was cut ends anywhere, so it is no beginning of what is drawn of the whole. */}
          <Markdown key={text === part.text ? 0 : 1} text={text} ended={isOver} />
          {rest}
        </>
      );
    case "reasoning":
      return (
        <Reasoning text={text} ended={isOver}>
          {rest}
        </Reasoning>
      );
    case "image":
      return <Attachments view={view} parts={[part]} />;
    case "provider_tool":
      return <p class="remark">{visible(part.name ?? "")}</p>;
    default:
      return null;
  }
}

/** Returns a text of a turn, and what follows it if a page of turns had to cut it. */
function textOf(view: TurnView, part: (Part | PartView) & { text: string }) {
  const Later = more.value;
  return {
    text: Later ? Later.textOfPart(view, part) : part.text,
    rest: Later && <Later.Rest view={view} part={part} />,
  };
}

interface UserMessageProps {
  view: TurnView;
  parts: Part[];
  children?: ComponentChildren;
}

function UserMessage({ view, parts, children }: UserMessageProps) {
  if (parts.length === 0) return null;
  const files = parts.filter(({ type }) => /^(context|file|image)$/.test(type));
  return (
    <div class="user" role="group" aria-label={strings.value.chat.you}>
      {parts.map((part, index) =>
        part.type === "text" ? <UserText key={index} view={view} part={part} /> : null,
      )}
      {files.length > 0 && <Attachments view={view} parts={files} />}
      {children}
    </div>
  );
}

function UserText({ view, part }: { view: TurnView; part: Part & { text: string } }) {
  const { text, rest } = textOf(view, part);
  return (
    <>
      <p class="plain" dir="auto">
        {text}
      </p>
      {rest}
    </>
  );
}
