import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { indent } from "../elements/json";
import { visible } from "../markdown/links";
import { ApiError, type Decision, type Interaction, messageOf } from "../net";
import { client } from "../state/server";
import { loadNeeds } from "../state/sessions";
import { formatTime, strings } from "../strings";
import { QuestionForm } from "./QuestionForm";

/** The time for which a new card takes no click: one may have been meant for what was there before. */
const GUARD_MS = 300;

interface ApprovalProps {
  interaction: Interaction;
  /** Called when the decision is stored, or when another one counts. */
  decided(): void;
}

/** A call that waits for the user. Models cannot draw it: it is made of the server's list alone. */
export function Approval({ interaction, decided }: ApprovalProps) {
  const words = strings.value.interaction;
  const isGuarded = useGuard();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  const [note, setNote] = useState("");
  const send = async (decision: Decision) => {
    setSending(true);
    setProblem("");
    try {
      await client.resolve(interaction.id, note.trim() ? { ...decision, note: note.trim() } : decision);
      decided();
      void loadNeeds().catch(() => {});
    } catch (error) {
      const isLate = error instanceof ApiError && (error.status === 409 || error.status === 410);
      setProblem(isLate ? words.decided : messageOf(error));
      setSending(false);
      void loadNeeds().catch(() => {});
    }
  };
  const isDisabled = isGuarded || isSending;
  const tool = visible(interaction.name);
  return (
    <div class="approval" role="group" aria-label={titleOf(interaction, tool)}>
      <h2>{titleOf(interaction, tool)}</h2>
      <Explanation interaction={interaction} />
      {interaction.kind === "question" ? (
        <QuestionForm question={interaction.question} isDisabled={isDisabled} send={send} />
      ) : (
        <Buttons interaction={interaction} isDisabled={isDisabled} send={send} />
      )}
      {interaction.kind !== "question" && (
        <label class="note">
          {words.note}
          <input type="text" value={note} maxLength={4096} dir="auto" onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
      )}
      {problem && (
        <p class="remark error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function useGuard(): boolean {
  const [isGuarded, setGuarded] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return isGuarded;
}

function titleOf({ kind }: Interaction, tool: string): string {
  const { approval, question, outcome, client } = strings.value.interaction;
  if (kind === "question") return question(tool);
  if (kind === "outcome") return outcome(tool);
  return kind === "client_tool" ? client(tool) : approval(tool);
}

function Explanation({ interaction }: { interaction: Interaction }) {
  const words = strings.value.interaction;
  const { kind } = interaction;
  return (
    <>
      {kind === "outcome" && <p>{words.outcomeText}</p>}
      {kind === "client_tool" && <p>{words.clientText}</p>}
      {kind === "question" && (
        <p class="plain" dir="auto">
          {visible(interaction.question?.text ?? "")}
        </p>
      )}
      {interaction.reason && kind !== "question" && (
        <p class="remark" dir="auto">
          {words.reason}: {visible(interaction.reason)}
        </p>
      )}
      {interaction.preview && (
        <pre tabIndex={0} dir="auto">
          {visible(interaction.preview)}
        </pre>
      )}
      {kind !== "question" && (
        <details open={interaction.preview === undefined}>
          <summary>{words.arguments}</summary>
          <pre tabIndex={0} dir="ltr">
            {visible(indent(interaction.arguments))}
          </pre>
        </details>
      )}
      <p class="remark">{words.expires(formatTime(interaction.expires_at))}</p>
    </>
  );
}

interface ButtonsProps {
  interaction: Interaction;
  isDisabled: boolean;
  send(decision: Decision): Promise<void>;
}

function Buttons({ interaction, isDisabled, send }: ButtonsProps) {
  const words = strings.value.interaction;
  const [edited, setEdited] = useState<string>();
  const [isJson, setJson] = useState(true);
  const choose = (decision: Decision, label: string, style?: string): ComponentChildren => (
    <button type="button" class={style} disabled={isDisabled} onClick={() => void send(decision)}>
      {label}
    </button>
  );
  const approveEdited = () => {
    try {
      const decision: Decision = { decision: "approve", arguments: JSON.parse(edited ?? "") };
      void send(decision);
    } catch {
      setJson(false);
    }
  };
  if (interaction.kind === "client_tool") return <p class="buttons">{choose({ decision: "deny" }, words.deny)}</p>;
  if (interaction.kind === "outcome") {
    return (
      <p class="buttons">
        {choose({ outcome: "done" }, words.took)}
        {choose({ outcome: "failed" }, words.tookNot)}
        {choose({ outcome: "retry" }, words.retry)}
        {choose({ decision: "deny" }, words.unknown)}
      </p>
    );
  }
  return (
    <>
      {edited !== undefined && (
        <label class="note">
          {words.editArguments}
          <textarea
            rows={6}
            spellcheck={false}
            aria-invalid={!isJson}
            value={edited}
            onInput={(event) => {
              setEdited(event.currentTarget.value);
              setJson(true);
            }}
          />
          {!isJson && <span class="remark error">{words.notJson}</span>}
        </label>
      )}
      <p class="buttons">
        {edited === undefined ? (
          choose({ decision: "approve" }, words.approve, "primary")
        ) : (
          <button type="button" class="primary" disabled={isDisabled} onClick={approveEdited}>
            {words.approve}
          </button>
        )}
        {edited === undefined && choose({ decision: "approve_session" }, words.approveSession)}
        {edited === undefined && choose({ decision: "approve_always" }, words.approveAlways)}
        {edited === undefined && (
          <button type="button" disabled={isDisabled} onClick={() => setEdited(indent(interaction.arguments))}>
            {words.edit}
          </button>
        )}
        {choose({ decision: "deny" }, words.deny)}
      </p>
    </>
  );
}
