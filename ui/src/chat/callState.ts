import type { PartView, ToolView } from "../net";
import type { Conversation } from "../state/conversation";

/** A call of a tool in an answer. */
export interface Call {
  /** The id of the call. */
  id: string;
  /** The call as the model wrote it. */
  part: PartView;
  /** The call as it ran, from its beginning. */
  tool: ToolView | undefined;
}

export type CallState = "writing" | "waiting" | "running" | "done" | "failed" | "denied";

/** Returns how far a call is. `isOver` states whether its turn has ended. */
export function stateOf(conversation: Conversation, { id, tool }: Call, isOver: boolean): CallState {
  if (tool?.ok === true) return "done";
  if (tool?.ok === false) return tool.error === "denied" ? "denied" : "failed";
  if (isOver) return "failed";
  // The id of an interaction is that of its call and one number more.
  if (conversation.pending.value.some((interaction) => interaction.id.startsWith(`${id}.`))) return "waiting";
  return tool ? "running" : "writing";
}
