import { useState } from "preact/hooks";
import { formatNumber } from "../shared";
import { getAll, post, type ProviderStatus } from "./api";
import { explain, Problem } from "./elements/Problem";
import { Screen } from "./elements/Screen";
import { State } from "./elements/State";
import { mayOperate, Refusal } from "./elements/WayOut";
import { When } from "./elements/When";
import { useLoaded } from "./load";
import { words } from "./strings";

const EVERY_MS = 10_000;

/** The providers of models with their state, which is asked for again while the screen is visible. */
export function Providers() {
  const texts = words.value.providers;
  const { data, error, isLoading, reload } = useLoaded(() => getAll<ProviderStatus>("providers"), "", EVERY_MS);
  const hidesStatus = data !== undefined && data.length > 0 && data.every((provider) => provider.state === undefined);
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Problem error={error} retry={() => void reload()} />
      {isLoading && !data && !error && <p role="status">{words.value.loading}</p>}
      {hidesStatus && <Refusal text={texts.forbidden} />}
      {data?.length === 0 && <p class="nothing">{texts.none}</p>}
      <ul class="panels">
        {data?.map((provider) => (
          <li key={provider.id}>
            <Provider provider={provider} changed={reload} />
          </li>
        ))}
      </ul>
    </Screen>
  );
}

interface ProviderProps {
  provider: ProviderStatus;
  changed(): Promise<void>;
}

function Provider({ provider, changed }: ProviderProps) {
  const texts = words.value.providers;
  const { id, models, tags, state, frozen } = provider;
  const missing = provider.missing ?? [];
  return (
    <article class="panel" aria-label={id}>
      <header>
        <h2 dir="auto">{id}</h2>
        {state && <State state={state} />}
        {tags?.map((tag) => (
          <span key={tag} class="chip">
            {tag}
          </span>
        ))}
      </header>
      {frozen && (
        <div class="reason">
          <p dir="auto">{frozen.message}</p>
          <p class="remark">
            <code>{frozen.code}</code> · {texts.since} <When time={frozen.since} isRelative /> ·{" "}
            {frozen.until ? (
              <>
                {texts.again} <When time={frozen.until} isRelative />
              </>
            ) : (
              texts.untilThawed
            )}
          </p>
        </div>
      )}
      {state !== undefined && <Load provider={provider} />}
      <p>
        <span class="remark">{texts.models}: </span>
        <bdi>{models.join(", ")}</bdi>
      </p>
      {missing.length > 0 && (
        <div class="reason">
          <p>{texts.missing}</p>
          <ul>
            {missing.map(({ model, until }) => (
              <li key={model}>
                <code>{model}</code>{" "}
                <span class="remark">
                  {texts.again} <When time={until} isRelative />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Thaw id={id} isNeeded={frozen !== undefined || missing.length > 0} changed={changed} />
    </article>
  );
}

function Load({ provider: { running, waiting, max_concurrency, calls, failures } }: { provider: ProviderStatus }) {
  const texts = words.value.providers;
  const limit = max_concurrency === undefined ? "" : ` / ${formatNumber(max_concurrency)}`;
  const facts = [
    [texts.running, `${formatNumber(running ?? 0)}${limit}`],
    [texts.waiting, formatNumber(waiting ?? 0)],
    [texts.calls, formatNumber(calls ?? 0)],
    [texts.failures, formatNumber(failures ?? 0)],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ThawProps {
  id: string;
  isNeeded: boolean;
  changed(): Promise<void>;
}

/** A button that lets a provider be tried at once, and what came of it. */
function Thaw({ id, isNeeded, changed }: ThawProps) {
  const texts = words.value.providers;
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<{ text: string; isError: boolean }>();
  const thaw = async () => {
    setRunning(true);
    setResult(undefined);
    try {
      await post(`providers/${encodeURIComponent(id)}/thaw`);
      await changed();
      setResult({ text: texts.thawed, isError: false });
    } catch (error) {
      setResult({ text: texts.stillFails(explain(error)), isError: true });
    }
    setRunning(false);
  };
  return (
    <div class="thaw">
      {isNeeded && mayOperate() && (
        <button type="button" disabled={isRunning} onClick={() => void thaw()}>
          {isRunning ? texts.thawing : texts.thaw}
          <span class="unseen"> {id}</span>
        </button>
      )}
      <p class={result?.isError ? "error" : "remark"} role="status" dir="auto">
        {result?.text}
      </p>
    </div>
  );
}
