import { useState } from "preact/hooks";
import type { Viewport } from "../chat/viewport";
import { formatNumber, messageOf, strings } from "../shared";
import type { History } from "../state/history";
import { MoreIcon } from "./MoreIcon";
import { words } from "./strings";

interface PositionProps {
  history: History;
  viewport: Viewport;
  /** Opens the search. */
  search(): void;
}

/** Says which part of a long session is on the screen, and leads to the others. */
export function Position({ history, viewport, search }: PositionProps) {
  const { position } = words.value;
  const { log, page } = strings.value;
  const [number, setNumber] = useState("");
  const [problem, setProblem] = useState("");
  const total = history.total.value;
  if (!history.isLoaded.value || (!history.hasEarlier.value && history.isLive.value)) return null;
  const viewed = viewport.isAtEnd.value ? total : history.turn(viewport.viewed.value ?? "").value.number;
  const go = (journey: Promise<void>) => {
    setProblem("");
    journey.catch((error: unknown) => setProblem(page.failed(messageOf(error))));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (number === "") return;
    go(viewport.jump(Math.min(total, Math.max(1, Number(number)))));
    setNumber("");
  };
  return (
    <form class="position" aria-label={position.label} onSubmit={submit}>
      <button type="button" class="icon-button" aria-label={position.first} onClick={() => go(viewport.jump(1))}>
        <MoreIcon name="first" />
      </button>
      <span class="position-text">{position.turnOf(formatNumber(viewed), formatNumber(total))}</span>
      <button type="button" class="icon-button" aria-label={position.last} onClick={() => go(viewport.toNewest())}>
        <MoreIcon name="last" />
      </button>
      <label>
        <span>{position.goTo}</span>
        <input
          type="number"
          placeholder={formatNumber(viewed)}
          min={1}
          max={total}
          value={number}
          onInput={(event) => setNumber(event.currentTarget.value)}
        />
      </label>
      <button type="button" class="icon-button" aria-label={log.search} onClick={search}>
        <MoreIcon name="search" />
      </button>
      {problem && (
        <span class="remark error" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}
