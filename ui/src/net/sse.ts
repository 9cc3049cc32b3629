import type { Frame } from "./types";

/** Yields the events of a response: those of each piece that arrives, which may be none. */
export async function* framesOf(response: Response): AsyncGenerator<Frame[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const stream = new EventStream();
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    yield stream.push(value);
  }
}

/** Splits a stream of server-sent events, which arrives in pieces of any length, into its events. */
export class EventStream {
  #line = "";
  #endsInReturn = false;
  #event = "";
  #id: string | undefined;
  #data: string[] = [];

  /** Returns the events that this piece of the stream completes. */
  push(piece: string): Frame[] {
    const frames: Frame[] = [];
    // A line break of two characters may be split between pieces.
    if (this.#endsInReturn && piece.startsWith("\n")) piece = piece.slice(1);
    this.#endsInReturn = piece.endsWith("\r");
    const lines = (this.#line + piece).split(/\r\n|\n|\r/);
    this.#line = lines.pop() ?? "";
    for (const line of lines) {
      const frame = this.#read(line);
      if (frame) frames.push(frame);
    }
    return frames;
  }

  #read(line: string): Frame | undefined {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
    return undefined;
  }

  #finish(): Frame | undefined {
    const frame = { event: this.#event || "message", id: this.#id, data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#event = "";
    this.#id = undefined;
    this.#data = [];
    return isEmpty ? undefined : frame;
  }
}
