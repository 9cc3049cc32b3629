import { useEffect, useState } from "preact/hooks";
import { indent } from "../../later/json";
import { client, type Interaction } from "../../shared";
import { reveal } from "../reveal";
import { words } from "../strings";
import { Expiry } from "./Expiry";
import { Preview } from "./Preview";

/** What a person needs to know before they decide. */
export function Explanation({ interaction }: { interaction: Interaction }) {
  const texts = words.value.interaction;
  const { kind, preview, question, reason } = interaction;
  const agent = useAgent(interaction.turn_id);
  const isQuestion = kind === "question";
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
        <Fact name={texts.agent} value={agent && reveal(agent)} />
        <Fact name={texts.reason} value={isQuestion ? "" : reveal(texts.because(reason))} />
      </dl>
      {preview !== undefined && <Preview tool={interaction.name} text={preview} />}
      {!isQuestion && (
        <details open={preview === undefined}>
          <summary>{texts.arguments}</summary>
          <pre tabIndex={0} dir="ltr">
            {reveal(indent(interaction.arguments))}
          </pre>
        </details>
      )}
      <Expiry at={interaction.expires_at} />
    </>
  );
}

function Fact({ name, value }: { name: string; value: string | undefined }) {
  if (!value) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}

/** Returns the agent of a turn, once the server has said it. */
function useAgent(turn: string): string | undefined {
  const [agent, setAgent] = useState<string>();
  useEffect(() => {
    const stopped = new AbortController();
    client
      .send("GET", `api/v1/turns/${turn}`, undefined, stopped.signal)
      .then((response) => response.json() as Promise<{ agent: string }>)
      .then((found) => setAgent(found.agent))
      .catch(() => {});
    return () => stopped.abort();
  }, [turn]);
  return agent;
}
