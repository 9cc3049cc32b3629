import { useEffect, useState } from "preact/hooks";
import { framesOf } from "../../net/sse";
import { client, type Frame } from "../../shared";

/** An event of a turn's log. */
export interface TurnEvent {
  name: string;
  data: { at?: string };
  /** The JSON as it was sent. */
  raw: string;
}

export interface TurnEvents {
  events: TurnEvent[];
  error: unknown;
}

/** How often what arrived is drawn, in milliseconds. */
const PAUSE_MS = 250;

/** Follows the events of a turn to its end, if they are wanted. */
export function useEvents(turn: string, isWanted: boolean): TurnEvents {
  const [found, setFound] = useState<TurnEvents>({ events: [], error: undefined });
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    void follow(turn, stop.signal, setFound);
    return () => stop.abort();
  }, [turn, isWanted]);
  return found;
}

async function follow(turn: string, signal: AbortSignal, found: (events: TurnEvents) => void): Promise<void> {
  const events: TurnEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let error: unknown;
  const show = () => {
    timer = undefined;
    if (!signal.aborted) found({ events: [...events], error });
  };
  try {
    const response = await client.send("GET", `api/v1/turns/${turn}/events`, undefined, signal);
    for await (const frames of framesOf(response)) {
      events.push(...frames.map(read).filter((event) => event !== undefined));
      timer ??= setTimeout(show, PAUSE_MS);
    }
  } catch (caught) {
    error = caught;
  }
  clearTimeout(timer);
  show();
}

function read(frame: Frame): TurnEvent | undefined {
  try {
    return { name: frame.event, data: JSON.parse(frame.data) as TurnEvent["data"], raw: frame.data };
  } catch {
    return undefined;
  }
}
