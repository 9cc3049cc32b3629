import { useEffect, useRef, useState } from "preact/hooks";
import type { Decision, Interaction } from "../../shared";
import { keepWritten, writtenFor } from "../approval/written";
import { reveal } from "../reveal";
import { words } from "../strings";
import { type Entry, answerOf, firstEntry } from "./answer";
import { FieldInput } from "./FieldInput";
import type { Field, Form } from "./fields";
import type { FieldProblem } from "./problems";

interface SchemaFormProps {
  interaction: Interaction;
  form: Form;
  isDisabled: boolean;
  /** Why the server refused the answer. */
  refusal: string;
  send(decision: Decision): Promise<void>;
}

/** The answer to a question as a form, with errors beside the fields. */
export function SchemaForm({ interaction, form, isDisabled, refusal, send }: SchemaFormProps) {
  const texts = words.value.interaction;
  const element = useRef<HTMLFormElement>(null);
  const [entries, setEntries] = useState(() => {
    const kept = new Map(writtenFor(interaction).entries);
    const entryOf = (field: Field) => keptOr(firstEntry(field), kept.get(field.key));
    return new Map<string, Entry>(form.fields.map((field) => [field.key, entryOf(field)]));
  });
  const [problems, setProblems] = useState<ReadonlyMap<string, FieldProblem>>(new Map());
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    const first = '[aria-invalid="true"], .field:has(.error) input';
    if (problems.size > 0) element.current?.querySelector<HTMLElement>(first)?.focus();
  }, [problems, attempts]);
  useEffect(() => {
    if (refusal) setProblems(refusedFields(form, refusal));
  }, [form, refusal]);
  const submit = (event: Event) => {
    event.preventDefault();
    const answer = answerOf(form, entries);
    setProblems(answer.problems);
    setAttempts(attempts + 1);
    if (answer.problems.size === 0) void send({ answer: answer.value });
  };
  const change = (key: string, entry: Entry) => {
    const changed = new Map(entries).set(key, entry);
    setEntries(changed);
    keepWritten(interaction, { entries: [...changed] });
    if (!problems.has(key)) return;
    const others = new Map(problems);
    others.delete(key);
    setProblems(others);
  };
  const isUnplaced = refusal !== "" && refusedFields(form, refusal).size === 0;
  return (
    <form ref={element} noValidate onSubmit={submit}>
      {form.fields.map((field) => (
        <FieldInput
          key={field.key}
          field={field}
          entry={entries.get(field.key) ?? ""}
          problem={problems.get(field.key)}
          change={(entry) => change(field.key, entry)}
        />
      ))}
      {isUnplaced && (
        <p class="remark error" role="alert" dir="auto">
          {reveal(refusal)}
        </p>
      )}
      <p class="buttons">
        <button class="primary" disabled={isDisabled}>
          {texts.submit}
        </button>
        <button type="button" disabled={isDisabled} onClick={() => void send({ decision: "deny" })}>
          {texts.decline}
        </button>
      </p>
    </form>
  );
}

/** Returns what was kept for a field, if it is what a field of this kind has. */
function keptOr(first: Entry, kept: Entry | undefined): Entry {
  return kept !== undefined && typeof kept === typeof first ? kept : first;
}

/** Returns the fields that the message of the server names. */
function refusedFields(form: Form, refusal: string): Map<string, FieldProblem> {
  const [, path = "", reason = ""] = /^answer: (?:[^/]*: )?(?:\/([^:]*): )?(.*)$/s.exec(refusal) ?? [];
  const name = path.split("/")[0] ?? "";
  const field = form.isSingle ? form.fields[0] : form.fields.find(({ key }) => key === name);
  return new Map(field && reason ? [[field.key, { kind: "refused", reason: reveal(reason) } as const]] : []);
}
