import { formatNumber } from "../../shared";
import { words } from "../strings";

/** Names an attempt at a step. */
export function placeOf(step: number, attempt: number): string {
  return words.value.recordings.place(formatNumber(step), formatNumber(attempt));
}
