import { signal } from "@preact/signals";

/** The turns that the user asked to stop, in any tab of the browser. */
const stopping = signal<string[]>([]);

const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("turnkit stopping");

tabs?.addEventListener("message", ({ data }) => note(data.turn, data.isStopping));

export function isStopping(turn: string): boolean {
  return stopping.value.includes(turn);
}

/** Notes that a turn is asked to stop, or that the request has failed. */
export function noteStopping(turn: string, isStopping: boolean): void {
  note(turn, isStopping);
  tabs?.postMessage({ turn, isStopping });
}

function note(turn: string, isStopping: boolean): void {
  const others = stopping.peek().filter((other) => other !== turn);
  stopping.value = isStopping ? [...others, turn] : others;
}
