import { signal } from "@preact/signals";
import { client } from "../shared";

/** The sessions in which a turn runs. */
export const running = signal<ReadonlySet<string>>(new Set());

/** Loads which sessions have a running turn. */
export async function loadRunning(): Promise<void> {
  const found = await client.all<{ session_id: string }>("api/v1/turns", { state: "running" });
  const now = new Set(found.data.map((turn) => turn.session_id));
  const have = running.peek();
  if (now.size !== have.size || [...have].some((session) => !now.has(session))) running.value = now;
}

/** Notes whether a turn runs in a session. */
export function noteRunning(session: string, isRunning: boolean): void {
  const have = running.peek();
  if (have.has(session) === isRunning) return;
  const others = [...have].filter((known) => known !== session);
  running.value = new Set(isRunning ? [...others, session] : others);
}
