import type { PlacedSpan } from "./trace";

/** What an axis needs to know of a span. */
type Stretch = Pick<PlacedSpan, "kind" | "from" | "to">;

/** The part of the width that waits for people get if they are longer than all the rest. */
const WAITS_SHARE = 0.2;

/** A time on the axis: `at` milliseconds after the beginning, at `x` percent of the width. */
export interface Mark {
  at: number;
  x: number;
}

/** Places times on an axis from 0 to 100. */
export interface Scale {
  place(time: number): number;
  marks: Mark[];
  /** The parts of the axis, in percent, that are shorter than their time. */
  shortened: { from: number; to: number }[];
}

interface Piece {
  from: number;
  to: number;
  /** A wait that is drawn shorter than it was. */
  isShortened: boolean;
  /** Where it begins and how long it is, in percent. */
  x: number;
  width: number;
}

/** Creates an axis for the spans. Long waits for people are shortened, so that the rest remains to be seen. */
export function scaleOf(spans: Stretch[]): Scale {
  const begin = Math.min(...spans.map((span) => span.from));
  const end = Math.max(begin + 1, ...spans.map((span) => span.to));
  const pieces = piecesOf(spans, begin, end);
  const place = (time: number) => {
    const piece = pieces.find((piece) => time <= piece.to) ?? pieces.at(-1)!;
    const share = piece.to === piece.from ? 0 : (Math.max(time, piece.from) - piece.from) / (piece.to - piece.from);
    return piece.x + Math.min(1, share) * piece.width;
  };
  const shortened = pieces.filter((piece) => piece.isShortened).map(({ x, width }) => ({ from: x, to: x + width }));
  const times = shortened.length > 0 ? [begin, ...pieces.map((piece) => piece.to)] : roundTimes(begin, end);
  return { place, marks: withSpace(times.map((time) => ({ at: time - begin, x: place(time) }))), shortened };
}

function piecesOf(spans: Stretch[], begin: number, end: number): Piece[] {
  const waits = merge(spans.filter((span) => span.kind === "wait" && span.to > span.from));
  const waited = waits.reduce((sum, wait) => sum + wait.to - wait.from, 0);
  const rest = end - begin - waited;
  const isShortened = waited > rest && rest > 0;
  const pieces: Piece[] = [];
  let x = 0;
  const add = (from: number, to: number, isWait: boolean) => {
    if (to <= from) return;
    const share = isWait ? ((to - from) / waited) * WAITS_SHARE : ((to - from) / rest) * (1 - WAITS_SHARE);
    const width = 100 * (isShortened ? share : (to - from) / (end - begin));
    pieces.push({ from, to, isShortened: isShortened && isWait, x, width });
    x += width;
  };
  let from = begin;
  for (const wait of waits) {
    add(from, wait.from, false);
    add(wait.from, wait.to, true);
    from = wait.to;
  }
  add(from, end, false);
  return pieces;
}

/** Joins spans that overlap. */
function merge(spans: Stretch[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Returns about four times at round distances from the beginning. */
function roundTimes(begin: number, end: number): number[] {
  const size = 10 ** Math.floor(Math.log10((end - begin) / 4));
  const distance =
    [1, 2, 5, 10].map((factor) => factor * size).find((distance) => (end - begin) / distance <= 5) ?? size;
  const times: number[] = [];
  for (let time = begin; time <= end; time += Math.max(1, distance)) times.push(time);
  return times;
}

/** Leaves out marks that have no space. */
function withSpace(marks: Mark[]): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) if (kept.length === 0 || mark.x - kept.at(-1)!.x >= 16) kept.push(mark);
  return kept;
}
