import { nameOfState } from "../strings";

/** The colour of a state. It has a name and a sign besides. */
const KINDS: Record<string, string> = {
  completed: "good",
  ready: "good",
  pinned: "good",
  failed: "bad",
  failing: "bad",
  quarantined: "bad",
  frozen: "bad",
  limit: "warned",
  expired: "warned",
  waiting: "warned",
  changed: "warned",
  running: "busy",
  starting: "busy",
  cancelling: "busy",
};

/** The state of a turn, a provider, a server or a tool. */
export function State({ state }: { state: string }) {
  return <span class={`state ${KINDS[state] ?? "idle"}`}>{nameOfState(state)}</span>;
}
