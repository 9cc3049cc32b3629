import { useState } from "preact/hooks";
import { Content } from "../../cards/Content";
import { formatSpan } from "../../later/duration";
import { formatNumber, strings } from "../../shared";
import { When } from "../elements/When";
import { words } from "../strings";
import { type Exchange, loadWhole, type RecordedText } from "./api";
import { placeOf } from "./place";

interface ExchangePanelProps {
  turn: string;
  user: string;
  /** The exchange, with long bodies cut. */
  listed: Exchange;
}

/** A request to a provider and its outcome. */
export function ExchangePanel({ turn, user, listed }: ExchangePanelProps) {
  const texts = words.value.recordings;
  const [whole, setWhole] = useState<Exchange>();
  const exchange = whole ?? listed;
  const { number, step, attempt, status, ended, failure, response } = exchange;
  const load = async () => {
    const loaded = await loadWhole(turn, user, number);
    if (!loaded) throw new Error(strings.peek().page.notFound);
    setWhole(loaded);
    return loaded;
  };
  const title = texts.number(formatNumber(number));
  const isBad = ended === "failed" || (status !== undefined && status >= 400);
  const kind = isBad ? "bad" : ended === "whole" ? "good" : "warned";
  return (
    <article class="panel exchange" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span class={`state ${kind}`}>{texts.ends[ended] ?? ended}</span>
        <span class="remark">{placeOf(step, attempt)}</span>
      </header>
      {failure && (
        <p class="reason" dir="auto">
          <code>{failure.code}</code> {failure.message}
        </p>
      )}
      <ExchangeFacts exchange={exchange} />
      <Body title={texts.request} body={exchange.request} load={async () => (await load()).request.text} />
      {response ? (
        <Body title={texts.response} body={response} load={async () => (await load()).response?.text ?? ""} />
      ) : (
        <p class="remark">{texts.noResponse}</p>
      )}
    </article>
  );
}

function ExchangeFacts({ exchange }: { exchange: Exchange }) {
  const { recordings: texts, detail, turns } = words.value;
  const { provider, model, api, url, status, began_at, ended_at, headers, masked } = exchange;
  const took = began_at && ended_at ? Date.parse(ended_at) - Date.parse(began_at) : undefined;
  const names = Object.keys(headers).sort();
  const facts: [string, preact.ComponentChildren][] = [
    [detail.provider, provider],
    [turns.columns.model, model],
    [texts.status, status ?? "–"],
    [turns.columns.time, <When time={began_at} />],
    [detail.took, took === undefined ? "–" : formatSpan(took)],
    [texts.masking, formatNumber(masked)],
  ];
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      <p class="exchange-address">
        <code>{api}</code> <bdi>{url}</bdi>
      </p>
      {names.length > 0 && (
        <details>
          <summary>{texts.headers(names.length, formatNumber(names.length))}</summary>
          <ul class="exchange-headers">
            {names.map((name) => (
              <li key={name}>
                <code>
                  {name}: {headers[name]}
                </code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface BodyProps {
  title: string;
  body: RecordedText;
  /** Returns the whole of the text. */
  load(): Promise<string>;
}

/** A body, which is drawn once it is opened. */
function Body({ title, body, load }: BodyProps) {
  const [isOpen, setOpen] = useState(false);
  const { text, bytes, more } = body;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span class="remark">{words.value.recordings.bytes(formatNumber(bytes))}</span>
      </summary>
      {isOpen && <Content title={title} text={text} load={more ? load : undefined} />}
    </details>
  );
}
