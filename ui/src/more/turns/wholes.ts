import { signal } from "@preact/signals";
import { type CutPart, isCut, loadWhole } from "../../later/wholeText";
import type { TurnView } from "../../shared";

/**
 * The texts that were cut and are loaded now, by their places. A page of turns that is read again does not cut them.
 */
const wholes = signal<ReadonlyMap<string, string>>(new Map());

/** Returns a text of a turn: the whole, as far as it is here. */
export function textOfPart(view: TurnView, part: CutPart & { text: string }): string {
  return wholes.value.get(placeOf(view, part)) ?? part.text;
}

/** Whether a part of a text is not here. */
export function lacksRest(view: TurnView, part: CutPart): boolean {
  return isCut(view, part) && !wholes.value.has(placeOf(view, part));
}

/** Loads the rest of a text, unless it is here, and returns the whole. */
export async function loadRest(view: TurnView, part: CutPart & { text: string }): Promise<string> {
  if (!lacksRest(view, part)) return textOfPart(view, part);
  const whole = await loadWhole(view, part);
  wholes.value = new Map(wholes.peek()).set(placeOf(view, part), whole);
  return whole;
}

/** Returns a name for the place of a text, which stays the same when its turn is read again. */
function placeOf({ turn_id, input, steered }: TurnView, part: CutPart): string {
  if ("part_id" in part) return `${turn_id} ${part.part_id}`;
  const parts = [input, ...(steered ?? []).map((message) => message.input)].flat();
  return `${turn_id} message ${parts.indexOf(part)}`;
}
