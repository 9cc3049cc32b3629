import { visible } from "../markdown/links";
import type { Conversation } from "../state/conversation";
import { strings } from "../strings";

/** Says in one line what is going on, also to readers of the screen. */
export function Status({ conversation }: { conversation: Conversation }) {
  return (
    <p class="status" role="status">
      {sentence(conversation)}
    </p>
  );
}

function sentence(conversation: Conversation): string {
  const words = strings.value.status;
  if (conversation.connection.value === "lost") return words.lost;
  if (!conversation.isLoaded.value) return words.connecting;
  if (conversation.pending.value.length > 0) return words.decision;
  const running = conversation.running.value;
  if (!running) {
    const status = conversation.history.last.value?.status;
    return status ? words.ended[status] : words.ready;
  }
  if (conversation.isStopping.value) return words.stopping;
  const tool = running.tools.find((tool) => tool.ok === undefined);
  if (tool) return words.tool(visible(tool.name));
  return running.waiting_since ? words.thinking : words.answering;
}
