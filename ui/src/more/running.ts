import { signal } from "@preact/signals";
import { client, loadSessions } from "../shared";

/** The sessions in which a turn runs. */
export const running = signal<ReadonlySet<string>>(new Set());

/** Loads which sessions have a running turn. */
export async function loadRunning(): Promise<void> {
  const found = await client.runningTurns();
  const now = new Set(found.data.map((turn) => turn.session_id));
  const have = running.peek();
  const hasEnded = [...have].some((session) => !now.has(session));
  if (hasEnded || now.size !== have.size) running.value = now;
  // Their titles and times have changed.
  if (hasEnded) await loadSessions();
}

/** Notes whether a turn runs in the session on the screen. */
export function noteRunning(session: string, isRunning: boolean): void {
  const have = running.peek();
  if (have.has(session) === isRunning) return;
  const others = [...have].filter((known) => known !== session);
  running.value = new Set(isRunning ? [...others, session] : others);
}
