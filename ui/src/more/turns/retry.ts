import { ApiError, client, newKey, type StartedTurn } from "../../shared";
import type { Conversation } from "../../state/conversation";
import { fieldsOf, loadOptions } from "../composer/options";
import { demandIdle } from "./versions";

/** The idempotency keys of requests whose responses did not arrive, by their addresses and bodies. */
const keys = new Map<string, string>();

/** Has the message of a turn answered again, with what is chosen for the next message. */
export async function retry(conversation: Conversation, turn: string): Promise<void> {
  demandIdle(conversation);
  const path = `api/v1/turns/${turn}/regenerate`;
  const body = { ...fieldsOf(loadOptions(conversation.id)), interact: true };
  const request = path + JSON.stringify(body);
  const key = keys.get(request) ?? newKey();
  keys.set(request, key);
  try {
    const response = await client.send("POST", path, body, undefined, { "idempotency-key": key });
    const started = (await response.json()) as StartedTurn;
    keys.delete(request);
    conversation.noteStarted(started.turn_id, conversation.history.versions.peek().get(turn)?.after);
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) keys.delete(request);
    throw error;
  }
}
