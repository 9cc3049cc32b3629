import { ApiError, formatNumber } from "../../shared";
import { Problem } from "../elements/Problem";
import { Screen } from "../elements/Screen";
import { State } from "../elements/State";
import { type Column, Table } from "../elements/Table";
import { When } from "../elements/When";
import { usePages } from "../pages";
import { words } from "../strings";
import { FilterField } from "../turns/FilterField";
import { queryOf } from "../api";
import { loadRecordings, type Recording } from "./api";

/** How to start a server that records. */
const COMMAND = "TURNKIT_RECORD=recordings turnkit serve";

/** The turns of which exchanges with providers are recorded: the newest first. */
export function Recordings({ query }: { query: string }) {
  const { recordings: texts, turns, refresh, loading } = words.value;
  const user = new URLSearchParams(query).get("user") ?? "";
  const { pages, error, isLoading, reload, loadMore, problem } = usePages(
    (cursor) => loadRecordings(user, cursor),
    user,
  );
  const isLoaded = pages.length > 0;
  const rows = pages.flatMap((page) => page.data);
  const isOff = error instanceof ApiError && error.status === 404;
  const choose = (name: string) => {
    location.hash = `#/recordings${queryOf(name.trim())}`;
  };
  const actions = (
    <button type="button" disabled={isLoading} onClick={() => void reload()}>
      {refresh}
    </button>
  );
  return (
    <Screen title={texts.title} lead={texts.lead} actions={actions}>
      {isOff ? <Off /> : <Problem error={error} forbidden={texts.forbidden} retry={() => void reload()} />}
      {isLoading && !isLoaded && !error && <p role="status">{loading}</p>}
      {isLoaded && (
        <div class="filter-row">
          <FilterField label={texts.user} type="text" value={user} choose={choose} />
        </div>
      )}
      {isLoaded && rows.length === 0 && !loadMore && <p class="nothing">{texts.none}</p>}
      {rows.length > 0 && (
        <Table caption={texts.title} columns={columnsOf(user)} rows={rows} keyOf={(row) => row.turn_id} />
      )}
      <Problem error={problem} />
      {loadMore && (
        <p class="buttons">
          <button type="button" onClick={loadMore}>
            {turns.more}
          </button>
          <span class="remark">{turns.shown(formatNumber(rows.length))}</span>
        </p>
      )}
    </Screen>
  );
}

/** Tells that nothing is recorded, and how to change that. */
function Off() {
  const texts = words.value.recordings;
  return (
    <div class="nothing">
      <p>{texts.off}</p>
      <p>
        <code>{COMMAND}</code>
      </p>
      <p class="remark">{texts.masked}</p>
    </div>
  );
}

function columnsOf(user: string): Column<Recording>[] {
  const { recordings: texts, turns } = words.value;
  return [
    {
      key: "time",
      label: turns.columns.time,
      cell: (row) => (
        <a href={`#/recordings/${row.turn_id}${queryOf(user)}`}>
          {row.began_at ? <When time={row.began_at} /> : <code>{row.turn_id}</code>}
        </a>
      ),
    },
    {
      key: "session",
      label: turns.columns.session,
      cell: (row) =>
        row.title === undefined ? (
          <span class="remark">{texts.ofOther(row.turn_id.slice(-12))}</span>
        ) : (
          <bdi>{row.title || words.value.detail.untitled}</bdi>
        ),
    },
    { key: "state", label: turns.columns.state, cell: (row) => (row.state ? <State state={row.state} /> : "–") },
    {
      key: "model",
      label: turns.columns.model,
      cell: (row) => <bdi>{row.models.map(({ provider, model }) => `${provider}: ${model}`).join(", ") || "–"}</bdi>,
    },
    { key: "exchanges", label: texts.exchanges, isNumber: true, cell: (row) => formatNumber(row.exchanges) },
  ];
}
