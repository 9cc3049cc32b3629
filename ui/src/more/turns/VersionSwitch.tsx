import { useLayoutEffect, useRef } from "preact/hooks";
import type { History } from "../../state/history";
import { words } from "../strings";
import { versionsOf } from "./versions";

interface VersionSwitchProps {
  history: History;
  turn: string;
  /** Shows another version. */
  show(version: string): void;
}

/** The version that is to get the focus when it is shown, and the button of it that was pressed. */
let wanted: { version: string; step: number } | undefined;

/** Leads to the other versions of a turn: those that continue the same turn. */
export function VersionSwitch({ history, turn, show }: VersionSwitchProps) {
  const { turns } = words.value;
  const buttons = useRef<HTMLSpanElement>(null);
  const versions = versionsOf(history, turn);
  const place = versions.indexOf(turn);
  useLayoutEffect(() => {
    if (wanted?.version !== turn) return;
    const all = [...(buttons.current?.querySelectorAll("button") ?? [])];
    const pressed = all[wanted.step < 0 ? 0 : 1];
    wanted = undefined;
    const target = pressed?.disabled ? all.find((button) => !button.disabled) : pressed;
    // By then the log is where it stays.
    requestAnimationFrame(() => target?.focus());
  }, []);
  if (versions.length < 2) return null;
  const go = (step: number) => {
    const version = versions[place + step];
    if (!version) return;
    wanted = { version, step };
    show(version);
  };
  return (
    <span ref={buttons} class="versions" role="group" aria-label={turns.versions}>
      <button type="button" class="quiet" aria-label={turns.previous} disabled={place === 0} onClick={() => go(-1)}>
        ‹
      </button>
      <span role="status">
        <span class="unseen">{turns.version(place + 1, versions.length)}</span>
        <span aria-hidden="true">
          {place + 1}/{versions.length}
        </span>
      </span>
      <button
        type="button"
        class="quiet"
        aria-label={turns.next}
        disabled={place === versions.length - 1}
        onClick={() => go(1)}
      >
        ›
      </button>
    </span>
  );
}
