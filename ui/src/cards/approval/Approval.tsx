import { useRef, useState } from "preact/hooks";
import { useGuard } from "../../later/useGuard";
import { ApiError, type Decision, type Interaction, loadNeeds, messageOf } from "../../shared";
import { QuestionForm } from "../question/QuestionForm";
import { reveal } from "../reveal";
import { words } from "../strings";
import { Buttons } from "./Buttons";
import { Explanation } from "./Explanation";
import { resolve } from "./resolve";
import { forgetWritten, keepWritten, writtenFor } from "./written";

interface ApprovalProps {
  interaction: Interaction;
  /** The agent that made the call, once it is known. */
  agent: string | undefined;
  /** What decides where the cards are on the screen, as a text. */
  arrangement: string;
  /**
   * Called with `true` before a decision is sent, because the list may be without the call before the response is
   * there, and with `false` if it does not count.
   */
  sending(isSending: boolean): void;
  /** Called when the decision is stored. */
  decided(): void;
  /** Called when another decision counts. */
  late(): void;
}

/** A call that waits for the user. Models cannot draw it: it is made of the server's list alone. */
export function Approval({ interaction, agent, arrangement, sending, decided, late }: ApprovalProps) {
  const card = useRef<HTMLDivElement>(null);
  const isGuarded = useGuard(arrangement);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ApiError | Error>();
  const [note, setNote] = useState(() => writtenFor(interaction).note ?? "");
  const send = async (decision: Decision, changed?: string) => {
    const hadFocus = card.current?.contains(document.activeElement);
    // The card is gone when the decision is stored.
    const around = card.current?.closest<HTMLElement>("[role=log], main");
    setSending(true);
    sending(true);
    setProblem(undefined);
    try {
      await resolve(interaction.id, note.trim() ? { ...decision, note: note.trim() } : decision, changed);
      forgetWritten(interaction);
      decided();
      if (hadFocus) around?.focus();
    } catch (error) {
      sending(false);
      const isLate = error instanceof ApiError && (error.status === 409 || error.status === 410);
      if (isLate) late();
      setProblem(error instanceof Error ? error : new Error(messageOf(error)));
      setSending(false);
    }
    void loadNeeds().catch(() => {});
  };
  const title = titleOf(interaction);
  const isDisabled = isGuarded || isSending;
  // Errors of changed arguments and of answers are shown where they were written.
  const isOfField = problem instanceof ApiError && problem.status === 422;
  return (
    <div ref={card} class="approval" role="group" aria-label={title}>
      <h2>{title}</h2>
      <Explanation interaction={interaction} agent={agent} />
      {interaction.kind === "question" ? (
        <QuestionForm
          interaction={interaction}
          isDisabled={isDisabled}
          refusal={isOfField ? problem.message : ""}
          send={send}
        />
      ) : (
        <>
          <label class="note">
            {words.value.interaction.note}
            <input
              type="text"
              value={note}
              maxLength={4096}
              dir="auto"
              onInput={(event) => {
                setNote(event.currentTarget.value);
                keepWritten(interaction, { note: event.currentTarget.value || undefined });
              }}
            />
          </label>
          <Buttons
            interaction={interaction}
            isDisabled={isDisabled}
            refusal={isOfField && problem.field === "arguments" ? problem.message : ""}
            send={send}
          />
        </>
      )}
      {problem && !isOfField && (
        <p class="remark error" role="alert">
          {problem.message}
        </p>
      )}
    </div>
  );
}

function titleOf({ kind, name }: Interaction): string {
  const { approval, question, outcome, client } = words.value.interaction;
  const tool = reveal(name);
  if (kind === "question") return question(tool);
  if (kind === "outcome") return outcome(tool);
  return kind === "client_tool" ? client(tool) : approval(tool);
}
