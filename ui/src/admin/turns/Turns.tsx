import { useState } from "preact/hooks";
import { addressOf, type List } from "../../shared";
import { get, loadTitles, type TurnRow } from "../api";
import { downloadCsv } from "../downloadCsv";
import { Problem } from "../elements/Problem";
import { Screen } from "../elements/Screen";
import { State } from "../elements/State";
import { type Column, csvOf, Table } from "../elements/Table";
import { When } from "../elements/When";
import { formatCost, formatSpan, formatTokens, tokensOf } from "../intl";
import { useLoaded } from "../load";
import { words } from "../strings";
import { FilterForm } from "./FilterForm";
import { readFilters } from "./filters";

const PAGE_SIZE = "50";

interface Listed {
  rows: TurnRow[];
  next: string | null;
  titles: Map<string, string>;
}

/** The turns of the user, or with a filter those of another one: the newest first. */
export function Turns({ query }: { query: string }) {
  const { turns: texts, csv, refresh } = words.value;
  const filters = readFilters(query);
  const load = async (): Promise<Listed> => {
    const [page, titles] = await Promise.all([
      get<List<TurnRow>>("turns", { ...filters, limit: PAGE_SIZE }),
      loadTitles(filters.user ?? "").catch(() => new Map<string, string>()),
    ]);
    return { rows: page.data, next: page.next, titles };
  };
  const { data, error, isLoading, reload } = useLoaded(load, query);
  const [more, setMore] = useState<{ first: Listed; rows: TurnRow[]; next: string | null }>();
  const [problem, setProblem] = useState<unknown>();
  // What was added belongs to the list that it continued.
  const added = more && more.first === data ? more : undefined;
  const rows = [...(data?.rows ?? []), ...(added?.rows ?? [])];
  const next = added ? added.next : data?.next;
  const loadMore = async () => {
    if (!data || !next) return;
    setProblem(undefined);
    const page = await get<List<TurnRow>>("turns", { ...filters, limit: PAGE_SIZE, cursor: next });
    setMore({ first: data, rows: [...(added?.rows ?? []), ...page.data], next: page.next });
  };
  const columns = columnsOf(rows, data?.titles ?? new Map());
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
      {isLoading && !data && <p role="status">{words.value.loading}</p>}
      {data && rows.length === 0 && <p class="nothing">{query ? texts.noneFound : texts.none}</p>}
      {rows.length > 0 && (
        <Table caption={texts.title} columns={columns} rows={rows} keyOf={(row) => row.id} isComplete={!next} />
      )}
      <Problem error={problem} />
      {data && next && (
        <p class="buttons">
          <button type="button" onClick={() => void loadMore().catch(setProblem)}>
            {texts.more}
          </button>
          <span class="remark">{texts.shown(rows.length)}</span>
        </p>
      )}
    </Screen>
  );
}

function columnsOf(rows: TurnRow[], titles: Map<string, string>): Column<TurnRow>[] {
  const { columns: names, number, kinds } = words.value.turns;
  const titleOf = (row: TurnRow) => titles.get(row.session_id) || row.session_id.slice(-12);
  const columns: (Column<TurnRow> & { isAbsent?: boolean })[] = [
    {
      key: "time",
      label: names.time,
      cell: (row) => (
        <a href={`#/turns/${row.id}`}>
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
          <a href={`${addressOf(row.session_id)}/t/${row.id}`} dir="auto">
            {titleOf(row)}
          </a>{" "}
          <span class="remark">
            {number(row.number)}
            {row.kind && ` · ${kinds[row.kind] ?? row.kind}`}
          </span>
        </span>
      ),
      value: (row) => titleOf(row),
    },
    {
      key: "user",
      label: names.user,
      cell: (row) => row.user,
      value: (row) => row.user,
      isAbsent: rows.every((row) => !row.user),
    },
    { key: "agent", label: names.agent, cell: (row) => row.agent, value: (row) => row.agent },
    {
      key: "state",
      label: names.state,
      cell: (row) => (
        <>
          <State state={row.state} />
          {row.error && <span class="remark"> {row.error}</span>}
        </>
      ),
      value: (row) => row.state,
    },
    {
      key: "model",
      label: names.model,
      cell: (row) => row.model ?? "–",
      value: (row) => row.model,
      isAbsent: rows.every((row) => !row.model),
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
      value: (row) => row.cost && row.cost.nano_usd / 1e9,
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
  return columns.filter((column) => !column.isAbsent);
}

/** Returns the time from the message to the end of its turn, in milliseconds. */
function durationOf(row: TurnRow): number | undefined {
  return row.ended_at ? Math.max(0, Date.parse(row.ended_at) - Date.parse(row.accepted_at)) : undefined;
}
