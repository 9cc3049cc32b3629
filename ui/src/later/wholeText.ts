// Pages of turns cut long texts. Here is what is cut, and how the rest is loaded.

import {
  client,
  type PagedTurn,
  type Part,
  type PartView,
  strings,
  type ToolView,
  type TurnView,
} from "../shared";

/** The length to which pages of turns cut texts, in bytes of UTF-8. */
const CUT_BYTES = 64 * 1024;

/** The most bytes that a character takes. */
const LONGEST_CHARACTER = 4;

/** A text of a turn: a part of the answer, or of a message of the user. */
export type CutPart = Part | PartView;

/** Whether a text of a turn is cut. Of a text of the user, the server says so for all of its turn. */
export function isCut(view: TurnView & Pick<PagedTurn, "more">, part: CutPart): boolean {
  if ("part_id" in part) return part.more ?? false;
  if (!view.more || !("text" in part)) return false;
  return new TextEncoder().encode(part.text).length > CUT_BYTES - LONGEST_CHARACTER;
}

/** Returns the whole of a text that is cut. */
export async function loadWhole(view: TurnView, part: CutPart, signal?: AbortSignal): Promise<string> {
  if ("part_id" in part) return (await loadPart(view.turn_id, part.part_id, signal)).part.text;
  const { parts } = await get<{ parts: Part[] }>(`turns/${view.turn_id}/input`, signal);
  const whole = parts.map((other) => wholeOf(part, other)).find((text) => text !== undefined);
  if (whole === undefined) throw new Error(strings.peek().page.notFound);
  return whole;
}

/** A part of an answer as it is whole, and for a call that ran, the call. */
export interface WholePart {
  part: PartView;
  tool?: ToolView;
}

/** Returns the whole of a part of an answer. */
export function loadPart(turn: string, part: string, signal?: AbortSignal): Promise<WholePart> {
  return get(`turns/${turn}/parts/${part}`, signal);
}

async function get<T>(path: string, signal: AbortSignal | undefined): Promise<T> {
  const response = await client.send("GET", `api/v1/${path}`, undefined, signal);
  return (await response.json()) as T;
}

/** Returns the text of a part of a message if another one is its beginning. */
function wholeOf(cut: Part, part: Part): string | undefined {
  if (part.type !== cut.type || !("text" in part) || !("text" in cut)) return undefined;
  return part.text.startsWith(cut.text) ? part.text : undefined;
}
