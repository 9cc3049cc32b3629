import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatSpan } from "../../later/duration";
import { addressOf, ApiError, formatNumber, me, type PagedTurn, type Part } from "../../shared";
import { type LoadedTurn, loadTurn, queryOf, type TurnRow } from "../api";
import { Problem } from "../elements/Problem";
import { Screen } from "../elements/Screen";
import { State } from "../elements/State";
import { When } from "../elements/When";
import { formatCost, formatTokens } from "../intl";
import { useLoaded } from "../load";
import { isRecorded } from "../recordings/api";
import { words } from "../strings";
import { EventList } from "./EventList";
import { useEvents } from "./events";
import { addressWith } from "./filters";
import { type Span, spansOf } from "./trace";
import { Waterfall } from "./Waterfall";

/** How often the view of a turn that has not ended is loaded, in milliseconds. */
const RUNNING_MS = 2_000;

interface TurnDetailProps {
  id: string;
  /** The user whose turn it is; empty for the user of the page. */
  user: string;
}

/** A turn with its timeline, its texts and its events; of another user, with its numbers and its timeline. */
export function TurnDetail({ id, user }: TurnDetailProps) {
  const { detail: texts, turns } = words.value;
  const { data, error, isLoading, reload } = useLoaded(() => loadTurn(id, user), `${id} ${user}`);
  const view = data?.view;
  const isRunning = data !== undefined && data.row.ended_at === null;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => !document.hidden && void reload(), RUNNING_MS);
    return () => clearInterval(timer);
  }, [isRunning, id]);
  // The view of a turn whose events are no longer stored has no numbers of events.
  const hasEvents = view !== undefined && (view.seq > 0 || isRunning);
  const log = useEvents(id, hasEvents);
  const isMissing = error instanceof ApiError && error.status === 404;
  const back = <a href={addressWith({ user })}>{texts.back}</a>;
  return (
    <Screen
      title={data ? titleOf(data, user) : turns.title}
      lead={user && texts.withoutWords}
      back={back}
      actions={data && <Links row={data.row} user={user} />}
    >
      {isMissing ? <p class="nothing">{texts.missing}</p> : <Problem error={error} retry={() => void reload()} />}
      {isLoading && !data && <p role="status">{words.value.loading}</p>}
      {data && <Facts turn={data} />}
      {data && (view || user) && (
        <section>
          <h2>{texts.timeline}</h2>
          <Waterfall spans={drawnOf(data)} />
        </section>
      )}
      {view && (
        <>
          <Remarks view={view} />
          <section>
            <h2>{texts.input}</h2>
            <Texts texts={view.input.map(textOf)} />
          </section>
          <section>
            <h2>{texts.output}</h2>
            <Texts texts={view.parts.filter((part) => part.type === "text").map((part) => part.text)} />
            {view.parts.some((part) => part.more) && <p class="remark">{texts.cut}</p>}
          </section>
          <EventList log={log} areKept={hasEvents} />
        </>
      )}
    </Screen>
  );
}

function titleOf({ row, title }: LoadedTurn, user: string): string {
  const { detail: texts } = words.value;
  const number = formatNumber(row.number);
  return user ? texts.titleOf(number, user) : texts.title(number, title || texts.untitled);
}

function drawnOf({ row, view, trace }: LoadedTurn): Span[] {
  const toolOf = (wait: string) => view?.waits?.find(({ id }) => id === wait)?.name;
  return spansOf(trace, Date.now() - Date.parse(row.accepted_at), toolOf);
}

function Links({ row, user }: { row: TurnRow; user: string }) {
  const { detail: texts, recordings } = words.value;
  const [hasRecording, setRecording] = useState(false);
  const isOperator = me.value?.operator === true;
  const query = queryOf(user);
  useEffect(() => {
    if (isOperator) void isRecorded(row.id).then(setRecording);
  }, [row.id, isOperator]);
  return (
    <>
      {hasRecording && <a href={`#/recordings/${row.id}${query}`}>{recordings.link}</a>}
      {row.parent_turn_id && <a href={`#/turns/${row.parent_turn_id}${query}`}>{texts.parent}</a>}
      {!user && <a href={`${addressOf(row.session_id)}/t/${row.id}`}>{texts.open}</a>}
    </>
  );
}

function Facts({ turn: { row, view, trace } }: { turn: LoadedTurn }) {
  const { detail: texts, turns } = words.value;
  const unique = (values: (string | undefined)[]) =>
    [...new Set(values.filter((value) => value !== undefined))].join(", ");
  const models = unique(view?.steps.map((step) => step.model) ?? []);
  const providers = unique(view?.steps.map((step) => step.provider) ?? []);
  const first = view?.steps[0]?.first_ms;
  const took = row.ended_at ? Date.parse(row.ended_at) - Date.parse(row.accepted_at) : undefined;
  const unpriced = row.cost?.unpriced_calls ?? 0;
  return (
    <dl class="facts">
      <Fact name={turns.columns.state}>
        <State state={row.state} />
        {/* The remarks of a turn say more, but are words. */}
        {!view && trace[0]?.error && <span class="remark"> {trace[0].error}</span>}
      </Fact>
      <Fact name={turns.columns.agent}>{row.agent}</Fact>
      {models && <Fact name={turns.columns.model}>{models}</Fact>}
      {providers && <Fact name={texts.provider}>{providers}</Fact>}
      <Fact name={turns.columns.time}>
        <When time={row.accepted_at} />
      </Fact>
      <Fact name={turns.columns.duration}>{took === undefined ? "–" : formatSpan(took)}</Fact>
      {first !== undefined && <Fact name={texts.first}>{formatSpan(first)}</Fact>}
      <Fact name={turns.columns.tokens}>{formatTokens(row.usage)}</Fact>
      <Fact name={turns.columns.cost}>
        {formatCost(row.cost)}
        {unpriced > 0 && <span class="remark"> {texts.unpriced(unpriced, formatNumber(unpriced))}</span>}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function Remarks({ view }: { view: PagedTurn }) {
  if (view.remarks.length === 0) return null;
  return (
    <section>
      <h2>{words.value.detail.remarks}</h2>
      <ul class="remarks">
        {view.remarks.map((remark, index) => (
          <li key={index} class={remark.error ? "error" : undefined} dir="auto">
            <code>{remark.code}</code> {remark.text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Texts({ texts }: { texts: string[] }) {
  const shown = texts.filter((text) => text !== "");
  if (shown.length === 0) return <p class="remark">{words.value.detail.nothing}</p>;
  return (
    <>
      {shown.map((text, index) => (
        <p key={index} class="written" dir="auto" tabIndex={0}>
          {text}
        </p>
      ))}
    </>
  );
}

function textOf(part: Part): string {
  if (part.type === "text" || part.type === "reasoning" || part.type === "context") return part.text;
  if (part.type === "file") return part.name;
  return part.type === "image" ? part.media_type : "";
}
