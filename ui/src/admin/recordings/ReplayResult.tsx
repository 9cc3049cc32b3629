import { useState } from "preact/hooks";
import { Content } from "../../cards/Content";
import { formatNumber } from "../../shared";
import { Problem } from "../elements/Problem";
import { words } from "../strings";
import { type Difference, type Replay, replayTurn } from "./api";
import { placeOf } from "./place";

interface ReplayResultProps {
  turn: string;
  user: string;
  /** Whether the turn is one that the user may replay. */
  isPossible: boolean;
}

/** A button that runs a turn again from its recording, and what came of it. */
export function ReplayResult({ turn, user, isPossible }: ReplayResultProps) {
  const texts = words.value.recordings;
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<Replay>();
  const [error, setError] = useState<unknown>();
  const run = async () => {
    setRunning(true);
    setResult(undefined);
    setError(undefined);
    await replayTurn(turn, user).then(setResult, setError);
    setRunning(false);
  };
  return (
    <>
      <p class="remark">{isPossible ? texts.replayLead : texts.notReplayable}</p>
      {isPossible && (
        <p class="buttons">
          <button type="button" disabled={isRunning} onClick={() => void run()}>
            {isRunning ? texts.replaying : texts.replayIt}
          </button>
        </p>
      )}
      <Problem error={error} />
      <p class={result?.same === false ? "replay-result error" : "replay-result"} role="status">
        {result && sentence(result)}
      </p>
      {result?.difference && <FirstDifference difference={result.difference} />}
      {result && <Notices result={result} />}
    </>
  );
}

function sentence({ same, difference, events }: Replay): string {
  const texts = words.value.recordings;
  if (same) return texts.same(formatNumber(events.replayed));
  return difference ? texts.different : texts.incomplete;
}

/** Both values at the first place where a replay differs. */
function FirstDifference({ difference }: { difference: Difference }) {
  const texts = words.value.recordings;
  const { event, message, kind, at } = difference;
  const number = formatNumber(event ?? (message ?? 0) + 1);
  const where = event === undefined ? texts.message(number) : texts.event(number, kind ?? "");
  return (
    <div class="difference">
      <p dir="auto">
        {where} {at && <code>{at}</code>}
      </p>
      <div class="difference-sides">
        <Side title={texts.stored} value={difference.stored} />
        <Side title={texts.replayed} value={difference.replayed} />
      </div>
    </div>
  );
}

function Side({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined) {
    return (
      <section>
        <p class="label">{title}</p>
        <p class="remark">{words.value.recordings.nothing}</p>
      </section>
    );
  }
  return <Content title={title} text={typeof value === "string" ? value : JSON.stringify(value)} />;
}

/** What was not recorded, and which requests would be others now. */
function Notices({ result: { missing, requests } }: { result: Replay }) {
  const texts = words.value.recordings;
  if (missing.length + requests.length === 0) return null;
  return (
    <ul class="remarks">
      {missing.map(({ step, attempt }) => (
        <li key={`m${step}.${attempt}`}>{texts.notRecorded(placeOf(step, attempt))}</li>
      ))}
      {requests.map(({ step, attempt, at }) => {
        const key = `r${step}.${attempt}`;
        const place = placeOf(step, attempt);
        if (!at) return <li key={key}>{texts.otherRequest(place)}</li>;
        return (
          <li key={key}>
            {texts.otherRequestAt(place)} <code>{at}</code>
          </li>
        );
      })}
    </ul>
  );
}
