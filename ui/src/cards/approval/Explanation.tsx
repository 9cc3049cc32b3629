import { useState } from "preact/hooks";
import { indent } from "../../later/json";
import type { Interaction } from "../../shared";
import { reveal } from "../reveal";
import { words } from "../strings";
import { Expiry } from "./Expiry";
import { Preview } from "./Preview";

interface ExplanationProps {
  interaction: Interaction;
  /** The agent that made the call, once it is known. */
  agent: string | undefined;
}

/** What a person needs to know before they decide. */
export function Explanation({ interaction, agent }: ExplanationProps) {
  const texts = words.value.interaction;
  const { kind, preview, question, reason } = interaction;
  const isQuestion = kind === "question";
  // The card is drawn with every key that is pressed in it, and the arguments of a call that waits do not change.
  const [lines] = useState(() => reveal(indent(interaction.arguments)));
  return (
    <>
      {kind === "outcome" && <p>{texts.outcomeText}</p>}
      {kind === "client_tool" && <p>{texts.clientText}</p>}
      {isQuestion && (
        <p class="plain" dir="auto">
          {reveal(question?.text ?? "")}
        </p>
      )}
      <dl class="approval-facts">
        {/* The line is there before the name, which would move the buttons with it. */}
        <Fact name={texts.agent} value={reveal(agent ?? "…")} />
        <Fact name={texts.reason} value={isQuestion ? "" : reveal(texts.because(reason))} />
      </dl>
      {preview !== undefined && <Preview tool={interaction.name} text={preview} />}
      {!isQuestion && (
        <details open={preview === undefined}>
          <summary>{texts.arguments}</summary>
          <pre tabIndex={0} dir="ltr">
            {lines}
          </pre>
        </details>
      )}
      <Expiry at={interaction.expires_at} />
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  if (!value) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}
