import type { Conversation } from "../state/conversation";
import { client } from "../state/server";
import { strings } from "../strings";

interface QueueProps {
  conversation: Conversation;
  /** Called with the reason if a message could not be withdrawn. */
  failed(error: unknown): void;
}

/** The messages that wait, each of which can be withdrawn. */
export function Queue({ conversation, failed }: QueueProps) {
  const words = strings.value.chat;
  if (conversation.queue.value.length === 0) return null;
  return (
    <ul class="queue" aria-label={strings.value.composer.waiting}>
      {conversation.queue.value.map((queued) => (
        <li key={queued.turn_id}>
          <span
            class={queued.steering ? "chip steering" : "chip"}
            title={queued.steering ? words.steering : words.queued}
          >
            {queued.steering ? strings.value.composer.steering : strings.value.composer.queued}
          </span>
          <span class="queue-text" dir="auto">
            {queued.input.map((part) => ("text" in part ? part.text : "")).join(" ")}
          </span>
          <button type="button" class="quiet" onClick={() => void client.cancel(queued.turn_id).catch(failed)}>
            {words.withdraw}
          </button>
        </li>
      ))}
    </ul>
  );
}
