import { computed, signal } from "@preact/signals";
import { client } from "../shared";
import { words } from "./strings";

/** Whether the server has no model, and the offline responder answers. */
export const isOffline = signal(false);

/** What the offline responder, which understands English and arithmetic, answers with its tools. */
export const offlineSuggestions = computed(() => (isOffline.value ? words.value.offline.suggestions : undefined));

/** Asks whether the server has a model. Without an answer, what was known before stays. */
export async function loadOffline(): Promise<void> {
  const found = await client.providers().catch(() => undefined);
  if (found) isOffline.value = found.data.length === 1 && found.data[0]?.id === "offline";
}
