import { useState } from "preact/hooks";
import type { Decision, Interaction } from "../../shared";
import { keepWritten, writtenFor } from "../approval/written";
import { reveal } from "../reveal";
import { words } from "../strings";
import { useId } from "../useId";
import { type Form, formOf } from "./fields";
import { SchemaForm } from "./SchemaForm";

interface QuestionFormProps {
  interaction: Interaction;
  isDisabled: boolean;
  /** Why the server refused the answer. */
  refusal: string;
  send(decision: Decision): Promise<void>;
}

/** Gives a form for one truth two choices: a box alone says little about what it asks. */
function withYesAndNo(form: Form): Form {
  const { yes, no } = words.value.interaction;
  const choices = [
    { value: true, label: yes },
    { value: false, label: no },
  ];
  const fields = form.fields.map((field) => {
    return field.kind === "boolean" ? ({ ...field, kind: "choice", choices } as const) : field;
  });
  return form.isSingle ? { ...form, fields } : form;
}

/** The answer to a question of a tool: one of its choices, a text, a form, or JSON if a form cannot ask for it. */
export function QuestionForm({ interaction, isDisabled, refusal, send }: QuestionFormProps) {
  const { question } = interaction;
  const schema = question?.schema;
  const [form] = useState(() => formOf(schema));
  const choices = question?.choices ?? [];
  return (
    <>
      {choices.length > 0 && (
        <p class="buttons">
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              dir="auto"
              disabled={isDisabled}
              onClick={() => void send({ answer: answerOfChoice(choice, schema) })}
            >
              {reveal(choice)}
            </button>
          ))}
        </p>
      )}
      {form ? (
        <SchemaForm
          interaction={interaction}
          form={withYesAndNo(form)}
          isDisabled={isDisabled}
          refusal={refusal}
          send={send}
        />
      ) : (
        <TextForm
          interaction={interaction}
          wantsText={schema === undefined || schema === null}
          isDisabled={isDisabled}
          refusal={refusal}
          send={send}
        />
      )}
    </>
  );
}

/** Returns a choice as the schema asks for it: as a text, or as the JSON that it holds. */
function answerOfChoice(choice: string, schema: unknown): unknown {
  const types = typeof schema === "object" && schema !== null && "type" in schema ? [schema.type].flat() : ["string"];
  if (types.includes("string")) return choice;
  try {
    return JSON.parse(choice) as unknown;
  } catch {
    return choice;
  }
}

interface TextFormProps {
  interaction: Interaction;
  wantsText: boolean;
  isDisabled: boolean;
  refusal: string;
  send(decision: Decision): Promise<void>;
}

/** An answer as a text, or as JSON. */
function TextForm({ interaction, wantsText, isDisabled, refusal, send }: TextFormProps) {
  const texts = words.value.interaction;
  const id = useId();
  const [answer, setAnswer] = useState(() => writtenFor(interaction).answer ?? "");
  const [isJson, setJson] = useState(true);
  const [sent, setSent] = useState<string>();
  const problem = !isJson ? texts.notJson : sent === answer ? refusal.replace(/^answer: /, "") : "";
  const submit = (event: Event) => {
    event.preventDefault();
    setSent(answer);
    try {
      void send({ answer: wantsText ? answer : (JSON.parse(answer) as unknown) });
    } catch {
      setJson(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <label class="note">
        {wantsText ? texts.answer : texts.json}
        <textarea
          rows={wantsText ? 2 : 5}
          class={wantsText ? undefined : "code"}
          dir="auto"
          aria-invalid={problem !== ""}
          aria-describedby={problem ? id : undefined}
          value={answer}
          onInput={(event) => {
            setAnswer(event.currentTarget.value);
            keepWritten(interaction, { answer: event.currentTarget.value || undefined });
            setJson(true);
          }}
        />
      </label>
      {problem && (
        <p id={id} class="remark error" role="alert" dir="auto">
          {reveal(problem)}
        </p>
      )}
      <p class="buttons">
        <button class="primary" disabled={isDisabled || answer.trim() === ""}>
          {texts.submit}
        </button>
        <button type="button" disabled={isDisabled} onClick={() => void send({ decision: "deny" })}>
          {texts.decline}
        </button>
      </p>
    </form>
  );
}
