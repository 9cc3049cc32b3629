import { useState } from "preact/hooks";
import type { CutPart } from "../../later/wholeText";
import { messageOf, type TurnView } from "../../shared";
import { words } from "../strings";
import { lacksRest, loadRest } from "./wholes";

/** Says that a text of a turn was cut, and shows the whole if the user wants it. */
export function Rest({ view, part }: { view: TurnView; part: CutPart & { text: string } }) {
  const { turns } = words.value;
  const [problem, setProblem] = useState("");
  if (!lacksRest(view, part)) return null;
  const show = (button: HTMLElement) => {
    const log = button.closest<HTMLElement>(".log");
    setProblem("");
    loadRest(view, part).then(
      () => {
        log?.focus({ preventScroll: true });
        // The reader goes on here, and not at the end. Who scrolls back, however little, leaves the end.
        log?.scrollBy(0, -2);
      },
      (error: unknown) => setProblem(turns.restFailed(messageOf(error))),
    );
  };
  return (
    <p class={problem ? "remark error" : "remark"} role={problem ? "alert" : undefined}>
      {problem || turns.cut}{" "}
      <button type="button" class="quiet" onClick={(event) => show(event.currentTarget)}>
        {turns.showAll}
      </button>
    </p>
  );
}
