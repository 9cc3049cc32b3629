import { signal } from "@preact/signals";
import type { Me } from "../net";
import type { OperatorScreen } from "./route";
import { client, summary } from "./server";

/** The answer of the server; `undefined` while it is unknown. */
export const me = signal<Me | undefined>(undefined);

/** Asks the server who the user is. Without an answer, what was known before stays. */
export async function loadMe(): Promise<void> {
  me.value = await client.me().catch(() => me.peek());
}

/** Reports whether a screen has something for the user. Where that is unknown, the server decides when it is opened. */
export function maySee(screen: OperatorScreen): boolean {
  const user = me.value;
  if (!user || screen === "turns" || screen === "usage") return true;
  if (user.operator || (screen === "keys" && user.scopes.includes("admin"))) return true;
  // Without keys, every caller reads what all share, and learns how to require keys.
  return summary.value?.auth === "none" && screen !== "recordings";
}
