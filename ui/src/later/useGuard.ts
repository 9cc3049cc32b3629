import { useEffect, useState } from "preact/hooks";

/** The time for which a decision takes no click: one may have been meant for what was there before. */
const GUARD_MS = 300;

/** Whether what is to be decided is too new to take a click. `arrangement` tells it from what was there before. */
export function useGuard(arrangement: string): boolean {
  const [guarded, setGuarded] = useState<string | undefined>();
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(arrangement), GUARD_MS);
    return () => clearTimeout(timer);
  }, [arrangement]);
  return guarded !== arrangement;
}
