import { type ComponentChildren, Fragment } from "preact";
import { formatSpan } from "../../later/duration";
import { tokensOf } from "../../later/tokens";
import { addressOf, formatNumber, type List } from "../../shared";
import { get, queryOf, type TurnRow } from "../api";
import { downloadCsv } from "../downloadCsv";
import { Problem } from "../elements/Problem";
import { Screen } from "../elements/Screen";
import { State } from "../elements/State";
import { type Column, csvOf, Table } from "../elements/Table";
import { When } from "../elements/When";
import { dollarsOf, formatCost, formatTokens } from "../intl";
import { usePages } from "../pages";
import { words } from "../strings";
import { FilterForm } from "./FilterForm";
import { type Filters, otherUser, readFilters } from "./filters";

const PAGE_SIZE = "50";

/** How many pages without a row are passed over before the user is asked whether to go on. */
const EMPTY_PAGES = 5;

/** The turns of the user, or with a filter those of another one: the newest first. */
export function Turns({ query }: { query: string }) {
  const { turns: texts, csv, refresh } = words.value;
  const filters = readFilters(query);
  const { pages, error, isLoading, reload, loadMore, problem } = usePages((cursor) => loadPage(filters, cursor), query);
  const isLoaded = pages.length > 0;
  const rows = pages.flatMap((page) => page.data);
  const columns = columnsOf(otherUser(query));
  const actions = (
    <>
      <button type="button" disabled={isLoading} onClick={() => void reload()}>
        {refresh}
      </button>
      <button type="button" disabled={rows.length === 0} onClick={() => downloadCsv("turns.csv", csvOf(columns, rows))}>
        {csv}
      </button>
    </>
  );
  return (
    <Screen title={texts.title} lead={texts.lead} actions={actions}>
      <FilterForm filters={filters} />
      <Problem error={error} forbidden={texts.forbidden} retry={() => void reload()} />
      {isLoading && !isLoaded && <p role="status">{words.value.loading}</p>}
      {isLoaded && rows.length === 0 && !loadMore && <p class="nothing">{query ? texts.noneFound : texts.none}</p>}
      {rows.length > 0 && (
        <Table caption={texts.title} columns={columns} rows={rows} keyOf={(row) => row.id} isComplete={!loadMore} />
      )}
      <Problem error={problem} />
      {loadMore && (
        <p class="buttons">
          <button type="button" onClick={loadMore}>
            {texts.more}
          </button>
          <span class="remark">{texts.shown(formatNumber(rows.length))}</span>
        </p>
      )}
    </Screen>
  );
}

/** Loads a page of turns. The server may return one without a row although there are more. */
async function loadPage(filters: Filters, cursor = ""): Promise<List<TurnRow>> {
  let page = await get<List<TurnRow>>("turns", { ...filters, limit: PAGE_SIZE, cursor });
  for (let passed = 0; page.data.length === 0 && page.next && passed < EMPTY_PAGES; passed += 1) {
    page = await get<List<TurnRow>>("turns", { ...filters, limit: PAGE_SIZE, cursor: page.next });
  }
  return page;
}

/** Returns the columns for turns of the user, or of another one, whose sessions cannot be opened. */
function columnsOf(other: string): Column<TurnRow>[] {
  const { columns: names, number, kinds } = words.value.turns;
  const titleOf = (row: TurnRow) => row.title || row.session_id.slice(-12);
  return [
    {
      key: "time",
      label: names.time,
      cell: (row) => (
        <a href={`#/turns/${row.id}${queryOf(other)}`}>
          <When time={row.accepted_at} />
        </a>
      ),
      value: (row) => row.accepted_at,
    },
    {
      key: "session",
      label: names.session,
      cell: (row) => (
        <span class="titled">
          {other ? (
            <span>{titleOf(row)}</span>
          ) : (
            <a href={`${addressOf(row.session_id)}/t/${row.id}`} dir="auto" title={titleOf(row)}>
              {titleOf(row)}
            </a>
          )}{" "}
          <span class="remark">
            {number(formatNumber(row.number))}
            {row.kind && ` · ${kinds[row.kind] ?? row.kind}`}
          </span>
        </span>
      ),
      value: (row) => titleOf(row),
    },
    { key: "agent", label: names.agent, cell: (row) => row.agent, value: (row) => row.agent },
    {
      key: "state",
      label: names.state,
      cell: (row) => (
        <>
          <State state={row.state} />
          {row.error && <span class="remark"> {breakable(row.error)}</span>}
        </>
      ),
      value: (row) => row.state,
    },
    {
      key: "model",
      label: names.model,
      cell: (row) => modelsOf(row) ?? "–",
      value: (row) => modelsOf(row),
    },
    {
      key: "tokens",
      label: names.tokens,
      cell: (row) => formatTokens(row.usage),
      value: (row) => row.usage && tokensOf(row.usage),
      isNumber: true,
    },
    {
      key: "cost",
      label: names.cost,
      cell: (row) => formatCost(row.cost),
      value: (row) => dollarsOf(row.cost),
      isNumber: true,
    },
    {
      key: "first",
      label: names.first,
      cell: (row) => (row.first_ms === undefined ? "–" : formatSpan(row.first_ms)),
      value: (row) => row.first_ms,
      isNumber: true,
    },
    {
      key: "duration",
      label: names.duration,
      cell: (row) => (durationOf(row) === undefined ? "–" : formatSpan(durationOf(row)!)),
      value: durationOf,
      isNumber: true,
    },
  ];
}

/** Lets a code be broken between its words. */
function breakable(code: string): ComponentChildren {
  return code.split(/(?<=_)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}

function modelsOf(row: TurnRow): string | undefined {
  return row.models?.map(({ model }) => model).join(", ");
}

/** Returns the time from the message to the end of its turn, in milliseconds. */
function durationOf(row: TurnRow): number | undefined {
  return row.ended_at ? Math.max(0, Date.parse(row.ended_at) - Date.parse(row.accepted_at)) : undefined;
}
