import { ApiError } from "../../shared";
import { Problem } from "../elements/Problem";
import { Screen } from "../elements/Screen";
import { usePages } from "../pages";
import { words } from "../strings";
import { queryOf } from "../api";
import { loadExchanges } from "./api";
import { ExchangePanel } from "./ExchangePanel";
import { ReplayResult } from "./ReplayResult";

/** The recorded exchanges of a turn, and its replay. */
export function RecordingDetail({ id, query }: { id: string; query: string }) {
  const { recordings: texts, detail, turns, loading } = words.value;
  const user = new URLSearchParams(query).get("user") ?? "";
  const load = (cursor?: string) => loadExchanges(id, user, cursor);
  const { pages, error, isLoading, reload, loadMore, problem } = usePages(load, `${id} ${user}`);
  const data = pages[0];
  const unreadable = pages.flatMap((page) => page.unreadable ?? []);
  const isMissing = error instanceof ApiError && error.status === 404;
  const isOwn = data?.title !== undefined && user === "";
  const title = data?.title === undefined ? texts.ofTurn(id.slice(-12)) : texts.of(data.title || detail.untitled);
  return (
    <Screen
      title={title}
      back={<a href={`#/recordings${queryOf(user)}`}>{texts.back}</a>}
      actions={isOwn && <a href={`#/turns/${id}`}>{texts.openTurn}</a>}
    >
      {isMissing ? (
        <p class="nothing">{texts.missing}</p>
      ) : (
        <Problem error={error} forbidden={texts.forbidden} retry={() => void reload()} />
      )}
      {isLoading && !data && !error && <p role="status">{loading}</p>}
      {data && (
        <>
          <section>
            <h2>{texts.replay}</h2>
            <ReplayResult turn={id} user={user} isPossible={data.state !== undefined} />
          </section>
          <section>
            <h2>{texts.exchanges}</h2>
            <p class="remark">{texts.masked}</p>
            {unreadable.length > 0 && (
              <p class="hint" dir="auto">
                {texts.unreadable} {unreadable.join(", ")}
              </p>
            )}
            <ul class="panels">
              {pages.flatMap((page) => page.data).map((exchange) => (
                <li key={exchange.number}>
                  <ExchangePanel turn={id} user={user} listed={exchange} />
                </li>
              ))}
            </ul>
            <Problem error={problem} />
            {loadMore && (
              <p class="buttons">
                <button type="button" onClick={loadMore}>
                  {turns.more}
                </button>
              </p>
            )}
          </section>
        </>
      )}
    </Screen>
  );
}
