import { useState } from "preact/hooks";
import type { Viewport } from "../../chat/viewport";
import { CopyButton } from "../../later/CopyButton";
import { addressOf, maySee, strings, type TurnView } from "../../shared";
import type { Conversation } from "../../state/conversation";
import { words } from "../strings";
import { factsOf } from "./facts";
import { retry } from "./retry";
import { VersionSwitch } from "./VersionSwitch";
import { reasonOf, showVersion } from "./versions";
import { lacksRest, loadRest, textOfPart } from "./wholes";

interface TurnFooterProps {
  conversation: Conversation;
  viewport: Viewport;
  view: TurnView;
}

/** How a turn ended, who answered, what it cost, and what one can do with it. */
export function TurnFooter({ conversation, viewport, view }: TurnFooterProps) {
  const { turns } = words.value;
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { turn_id: turn } = view;
  const texts = view.parts.filter(({ type }) => type === "text");
  const answer = texts.map((part) => textOfPart(view, part)).join("\n\n");
  const isWhole = !texts.some((part) => lacksRest(view, part));
  const loadAnswer = async () => (await Promise.all(texts.map((part) => loadRest(view, part)))).join("\n\n");
  const link = new URL(`${addressOf(conversation.id)}/t/${turn}`, location.href).href;

  const fail = (error: unknown) => setProblem(reasonOf(error, strings.peek().page.failed));
  const run = (action: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem("");
    void action().catch(fail).finally(() => setBusy(false));
  };
  const show = (version: string) => {
    run(() => showVersion(conversation, viewport, version, document.getElementById(`t-${turn}`)));
  };
  return (
    <>
      <span>{factsOf(view).join(" · ")}</span>
      <span class="buttons">
        {answer && <CopyButton text={isWhole ? answer : loadAnswer} failed={fail} />}
        {view.input.length > 0 && (
          <button type="button" class="quiet" onClick={() => run(() => retry(conversation, turn))}>
            {turns.retry}
          </button>
        )}
        <CopyButton text={link} name={turns.link} />
        {maySee("turns") && <a href={`#/turns/${turn}`}>{turns.timeline}</a>}
        <VersionSwitch history={conversation.history} turn={turn} show={show} />
      </span>
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
