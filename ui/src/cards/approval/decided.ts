import { formatTime, type Interaction, type InteractionDecision } from "../../shared";
import { reveal } from "../reveal";
import { words } from "../strings";

/** How a decision came about that was not made here. */
export type Decided = "approved" | "denied" | "answered" | "expired" | "withdrawn" | "other";

function kindOf({ decision, by }: InteractionDecision): Decided {
  if (decision === "approved" || decision === "answered") return decision;
  if (decision !== "denied") return "other";
  if (by === "expired") return "expired";
  return by === undefined || by === "person" ? "denied" : "withdrawn";
}

/** Returns a sentence about a decision that was not made here. */
export function sentenceOf({ name, decided }: Interaction): string {
  const texts = words.value.interaction;
  if (!decided) return texts.late;
  return texts.decided(reveal(name), kindOf(decided), formatTime(decided.at));
}

/** Whether a person elsewhere, or the time, made the decision. Calls of a stopped turn need no sentence. */
export function isElsewhere({ decided }: Interaction): boolean {
  return Boolean(decided) && kindOf(decided as InteractionDecision) !== "withdrawn";
}
