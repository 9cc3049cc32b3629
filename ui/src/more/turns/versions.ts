import type { Viewport } from "../../chat/viewport";
import { ApiError, client, type List, messageOf } from "../../shared";
import type { Conversation } from "../../state/conversation";
import type { History } from "../../state/history";
import { words } from "../strings";

/** The most pages of turns that are read to find the end of a branch: 10,000 turns. */
const MOST_PAGES = 50;

/** A turn in a list of turns. */
interface ListedTurn {
  id: string;
  number: number;
  after: string | null;
  ended_at: string | null;
  kind?: string;
  steered_into?: string;
}

/** Returns the turns that continue the same turn as this one, and it itself, in their order. */
export function versionsOf(history: History, turn: string): string[] {
  const all = history.versions.value;
  const own = all.get(turn);
  if (!own) return [turn];
  const versions = [...all].filter(([, { after }]) => after === own.after);
  return versions.sort(([, a], [, b]) => a.number - b.number).map(([id]) => id);
}

/**
 * Returns the turn that the next message should name as the one to continue. A session with one branch needs none.
 * With several, another page may have moved the head since this one saw it.
 */
export function continued({ history, running, queue }: Conversation): string | undefined {
  if (running.peek() || queue.peek().length > 0) return undefined;
  const parents = [...history.versions.peek().values()].map(({ after }) => after);
  return new Set(parents).size < parents.length ? history.head.peek() : undefined;
}

/** Refuses what has to wait until the session is idle. */
export function demandIdle({ isRunning, queue }: Conversation): void {
  if (isRunning.peek() || queue.peek().length > 0) throw new ApiError(409, "session_busy", words.peek().turns.busy);
}

/** Returns what a user should read about a failure. */
export function reasonOf(error: unknown, failed: (message: string) => string): string {
  if (error instanceof ApiError && error.code === "session_busy") return words.peek().turns.busy;
  return failed(messageOf(error));
}

/** Moves the session to the branch of another version of a turn, and shows that version where the turn was. */
export async function showVersion(
  conversation: Conversation,
  viewport: Viewport,
  version: string,
  article: Element | null | undefined,
): Promise<void> {
  const head = await moveTo(conversation, version);
  const top = article?.closest(".log")?.getBoundingClientRect().top ?? 0;
  const offset = article ? article.getBoundingClientRect().top - top : 0;
  await conversation.history.jump(version, (turn) => viewport.show({ turn, offset }), head);
}

/** Makes the branch of a turn the one that the next message continues. Returns its end, which is the head then. */
export async function moveTo(conversation: Conversation, turn: string): Promise<string> {
  demandIdle(conversation);
  const head = await branchEnd(conversation, turn);
  await client.send("PATCH", `api/v1/sessions/${conversation.id}`, { head });
  return head;
}

/** Returns the last turn of the newest branch that goes through a turn; that of the head, if it does. */
async function branchEnd({ id, history }: Conversation, through: string): Promise<string> {
  const turns = await turnsSince(id, history.versions.peek().get(through)?.number ?? 0);
  const isThrough = (turn: string | null | undefined): boolean => {
    let current = turn;
    while (current && current !== through) current = turns.get(current)?.after;
    return current === through;
  };
  const head = history.head.peek();
  if (isThrough(head)) return head ?? through;
  const ended = [...turns.values()].filter((turn) => turn.ended_at !== null && !turn.steered_into);
  const last = ended.find((turn) => !turn.kind && isThrough(turn.id))?.id ?? through;
  // The next turn should use the summary of what was said.
  return ended.find((turn) => turn.kind === "compact" && turn.after === last)?.id ?? last;
}

/** Returns the turns of a session from one number on, the newest first. */
async function turnsSince(session: string, number: number): Promise<Map<string, ListedTurn>> {
  const turns = new Map<string, ListedTurn>();
  let cursor = "";
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const response = await client.send("GET", `api/v1/turns?session=${session}&limit=200${cursor}`);
    const { data, next } = (await response.json()) as List<ListedTurn>;
    for (const turn of data) turns.set(turn.id, turn);
    if (next === null || (data.at(-1)?.number ?? Infinity) <= number) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  return turns;
}
