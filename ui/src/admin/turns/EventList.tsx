import { useState } from "preact/hooks";
import { CopyButton } from "../../later/CopyButton";
import { indent } from "../../later/json";
import { ApiError, formatNumber } from "../../shared";
import { Problem } from "../elements/Problem";
import { words } from "../strings";
import type { TurnEvents } from "./events";

/** So many events are drawn at once. */
const AT_ONCE = 200;

/** The events of a turn as the server sends them. */
export function EventList({ log, areKept }: { log: TurnEvents; areKept: boolean }) {
  const texts = words.value.detail;
  const [shown, setShown] = useState(AT_ONCE);
  const isGone = log.error instanceof ApiError && log.error.status === 410;
  const { events } = log;
  return (
    <section>
      <h2>{texts.events}</h2>
      {!areKept || isGone ? <p class="remark">{texts.gone}</p> : <Problem error={log.error} />}
      {events.length > 0 && (
        <details>
          <summary>{texts.showEvents(events.length, formatNumber(events.length))}</summary>
          <p>
            <CopyButton text={events.map(({ name, raw }) => `${name} ${raw}\n`).join("")} />
          </p>
          <ol class="events">
            {events.slice(0, shown).map(({ name, data, raw }, index) => (
              <li key={index}>
                <details>
                  <summary>
                    <code>{name}</code> <span class="remark">{clock(data.at)}</span>
                  </summary>
                  <pre dir="ltr">{indent(raw)}</pre>
                </details>
              </li>
            ))}
          </ol>
          {events.length > shown && (
            <button type="button" onClick={() => setShown(shown + AT_ONCE)}>
              {words.value.turns.more}
            </button>
          )}
        </details>
      )}
    </section>
  );
}

/** Returns the time of day to the millisecond. */
function clock(time: string | undefined): string {
  return time?.slice(11, 23) ?? "";
}
