import { signal } from "@preact/signals";
import type { Me } from "../net";
import type { OperatorScreen } from "./route";
import { client, summary } from "./server";

/** The answer of the server; `undefined` while it is unknown, and where every caller is the same. */
export const me = signal<Me | undefined>(undefined);

/** Asks the server who the user is. Without an answer, what was known before stays. */
export async function loadMe(): Promise<void> {
  if (summary.value?.auth === "none") return;
  me.value = await client.me().catch(() => me.peek());
}

/** Reports whether a screen has something for the user. Where that is unknown, the server decides when it is opened. */
export function maySee(screen: OperatorScreen): boolean {
  const user = me.value;
  if (!user || screen === "turns" || screen === "usage") return true;
  return user.operator || (screen === "keys" && user.scopes.includes("admin"));
}
