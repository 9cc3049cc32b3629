// What stands for the cards until their part of the page is loaded, or in their place if it cannot be loaded.

import { useEffect, useState } from "preact/hooks";
import { visible } from "../markdown/links";
import type { Interaction, Part, PartView, TurnView } from "../net";
import type { Conversation } from "../state/conversation";
import { connection } from "../state/feed";
import { cards, loadCards } from "../state/later";
import { strings } from "../strings";
import { type Call, stateOf } from "./callState";

interface ToolCallsProps {
  conversation: Conversation;
  view: TurnView;
  /** Neighbouring calls of one step. */
  calls: Call[];
}

/** The calls of a step: names and states, until the cards are there. */
export function ToolCalls(props: ToolCallsProps) {
  useCards();
  const Cards = cards.value?.ToolCalls;
  if (Cards) return <Cards {...props} />;
  return (
    <>
      {props.calls.map((call) => (
        <p key={call.id} class="call">
          <span class="tool-name">{visible(call.tool?.name || call.part.name || "")}</span>
          <span class="tool-state">{strings.value.tool[stateOf(props.conversation, call, !!props.view.status)]}</span>
        </p>
      ))}
    </>
  );
}

interface AttachmentsProps {
  view: TurnView;
  /** The files of a message of the user, or an image of the model. */
  parts: (Part | PartView)[];
}

/** Files and images: their names, until they can be drawn. */
export function Attachments(props: AttachmentsProps) {
  useCards();
  const Cards = cards.value?.Attachments;
  if (Cards) return <Cards {...props} />;
  return (
    <>
      {props.parts.map((part, index) => (
        <span key={index} class="chip">
          {visible(("source" in part ? part.source : "name" in part && part.name) || strings.value.chat.image)}
        </span>
      ))}
    </>
  );
}

interface ApprovalsProps {
  /** The calls that wait for the user. */
  pending: Interaction[];
  /** Called when a decision is stored, or when another one counts. */
  decided(interaction: Interaction): void;
  /** Where links to the sessions of the calls lead, if they are shown. */
  addressOf?: (session: string) => string;
}

/** The calls that wait for the user: their names, until the cards are there. */
export function Approvals(props: ApprovalsProps) {
  const Cards = cards.value?.Approvals;
  if (Cards) return <Cards {...props} />;
  return (
    <>
      {props.pending.map(({ id, name }) => (
        <Unloaded key={id} name={name} />
      ))}
    </>
  );
}

function Unloaded({ name }: { name: string }) {
  const hasFailed = useCards();
  const { page } = strings.value;
  return (
    <div class="approval">
      <p class="tool-name">{visible(name)}</p>
      <p class="remark">{hasFailed ? page.notLoaded : page.loading}</p>
      {hasFailed && (
        <button type="button" onClick={() => location.reload()}>
          {page.reload}
        </button>
      )}
    </div>
  );
}

/** Loads the cards, and returns whether that has failed. */
function useCards(): boolean {
  const [hasFailed, setFailed] = useState(false);
  // An attempt fails while the server is away.
  useEffect(() => void loadCards().catch(() => setFailed(true)), [connection.value === "open"]);
  return hasFailed;
}
