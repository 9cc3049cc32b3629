import { useState } from "preact/hooks";
import { visible } from "../markdown/links";
import type { Decision, Question } from "../net";
import { strings } from "../strings";

interface QuestionFormProps {
  question: Question | undefined;
  isDisabled: boolean;
  send(decision: Decision): Promise<void>;
}

/** The answer to a question of a tool: one of its choices, a text, or JSON if it asks for another type. */
export function QuestionForm({ question, isDisabled, send }: QuestionFormProps) {
  const words = strings.value.interaction;
  const [answer, setAnswer] = useState("");
  const [isJson, setJson] = useState(true);
  const wantsText = question?.schema === undefined || question.schema === null;
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      void send({ answer: wantsText ? answer : (JSON.parse(answer) as unknown) });
    } catch {
      setJson(false);
    }
  };
  return (
    <form onSubmit={submit}>
      {question?.choices && question.choices.length > 0 && (
        <p class="buttons">
          {question.choices.map((choice) => (
            <button key={choice} type="button" disabled={isDisabled} onClick={() => void send({ answer: choice })}>
              {visible(choice)}
            </button>
          ))}
        </p>
      )}
      <label class="note">
        {words.answer}
        <textarea
          rows={wantsText ? 2 : 5}
          dir="auto"
          aria-invalid={!isJson}
          value={answer}
          onInput={(event) => {
            setAnswer(event.currentTarget.value);
            setJson(true);
          }}
        />
        {!isJson && <span class="remark error">{words.notJson}</span>}
      </label>
      <p class="buttons">
        <button class="primary" disabled={isDisabled || answer.trim() === ""}>
          {words.submit}
        </button>
        <button type="button" disabled={isDisabled} onClick={() => void send({ decision: "deny" })}>
          {words.decline}
        </button>
      </p>
    </form>
  );
}
