import { useEffect, useRef, useState } from "preact/hooks";
import { client, type Interaction } from "../../shared";
import { words } from "../strings";
import { Approval } from "./Approval";
import { isElsewhere, sentenceOf } from "./decided";
import { useAgents } from "./useAgents";

interface ApprovalsProps {
  /** The calls that wait for the user. */
  pending: Interaction[];
  /** Called when a decision is stored, or when another one counts. */
  decided(interaction: Interaction): void;
  /** Where links to the sessions of the calls lead, if they are shown. */
  addressOf?: (session: string) => string;
}

/** The calls that wait for the user. A sentence takes the place of a card that was decided elsewhere. */
export function Approvals({ pending, decided, addressOf }: ApprovalsProps) {
  const own = useRef(new Set<string>());
  const { elsewhere, ask } = useDecidedElsewhere(pending, own.current);
  const note = (id: string, isSending: boolean) => {
    if (isSending) own.current.add(id);
    else own.current.delete(id);
  };
  const late = (interaction: Interaction) => {
    decided(interaction);
    // Whoever tried to decide reads why that did not count, whatever the reason.
    ask(interaction.id, () => true);
  };
  const agents = useAgents(pending.map(({ turn_id }) => turn_id));
  // What moves below the pointer takes no click either: when another card goes, and when a sentence or a name comes.
  const sentences = elsewhere.map(({ id }) => id);
  const cards = pending.map(({ id, turn_id }) => [id, agents.get(turn_id)]);
  const arrangement = JSON.stringify([sentences, cards]);
  return (
    <>
      {elsewhere.map((interaction) => (
        <p key={interaction.id} class="remark decided" role="status" dir="auto">
          {sentenceOf(interaction)}
        </p>
      ))}
      {pending.map((interaction) => (
        <div key={interaction.id} class="pending">
          <Approval
            interaction={interaction}
            agent={agents.get(interaction.turn_id)}
            arrangement={arrangement}
            sending={(isSending) => note(interaction.id, isSending)}
            decided={() => decided(interaction)}
            late={() => late(interaction)}
          />
          {addressOf && <a href={addressOf(interaction.session_id)}>{words.value.interaction.open}</a>}
        </div>
      ))}
    </>
  );
}

/**
 * Returns the calls that left the list without a decision of this page, until another call waits. `ask` asks the server
 * how one was decided.
 */
function useDecidedElsewhere(pending: Interaction[], own: ReadonlySet<string>) {
  const [elsewhere, setElsewhere] = useState<Interaction[]>([]);
  const before = useRef(pending);
  const isMounted = useRef(true);
  useEffect(
    () => () => {
      isMounted.current = false;
    },
    [],
  );
  const ask = (id: string, isOfInterest = isElsewhere) => {
    const show = (interaction: Interaction) => {
      if (!isMounted.current || !isOfInterest(interaction)) return;
      setElsewhere((others) => [...others.filter((other) => other.id !== id), interaction]);
    };
    // A session that was deleted has no decisions any more.
    void client.send("GET", `api/v1/interactions/${id}`).then((response) => response.json()).then(show, () => {});
  };
  useEffect(() => {
    const left = before.current.filter(({ id }) => !own.has(id) && !pending.some((other) => other.id === id));
    const hasNew = pending.some(({ id }) => !before.current.some((other) => other.id === id));
    before.current = pending;
    if (hasNew) setElsewhere([]);
    for (const { id } of left) ask(id);
  }, [pending, own]);
  return { elsewhere, ask };
}
