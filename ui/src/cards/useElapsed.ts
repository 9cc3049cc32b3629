import { useEffect, useState } from "preact/hooks";

const SECOND_MS = 1_000;

/** A start that the server reports is used up to this age: a clock that is set wrong may be off by more. */
const CREDIBLE_MS = 3_600_000;

/** Returns the milliseconds since a call began, each second; `undefined` unless it runs. */
export function useElapsed(isRunning: boolean, beganAt: number | undefined): number | undefined {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const age = beganAt === undefined ? -1 : Date.now() - beganAt;
    const began = performance.now() - (age >= 0 && age < CREDIBLE_MS ? age : 0);
    const tick = () => setElapsed(performance.now() - began);
    tick();
    const timer = setInterval(tick, SECOND_MS);
    return () => clearInterval(timer);
  }, [isRunning, beganAt]);
  return isRunning ? elapsed : undefined;
}
