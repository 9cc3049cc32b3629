import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { indent } from "../../later/json";
import type { Decision, Interaction } from "../../shared";
import { reveal } from "../reveal";
import { words } from "../strings";
import { useId } from "../useId";
import { keepWritten, writtenFor } from "./written";

interface ButtonsProps {
  interaction: Interaction;
  isDisabled: boolean;
  /** Why the server refused changed arguments. */
  refusal: string;
  /** `changed` has arguments as JSON. */
  send(decision: Decision, changed?: string): Promise<void>;
}

/** The decisions about a call. */
export function Buttons(props: ButtonsProps) {
  const texts = words.value.interaction;
  const { interaction, isDisabled, send } = props;
  const [isEditing, setEditing] = useState(() => writtenFor(interaction).arguments !== undefined);
  const edit = useRef<HTMLButtonElement>(null);
  const choose = (decision: Decision, label: string, style?: string): ComponentChildren => (
    <button type="button" class={style} disabled={isDisabled} onClick={() => void send(decision)}>
      {label}
    </button>
  );
  const discard = () => {
    setEditing(false);
    keepWritten(interaction, { arguments: undefined });
    // The button is drawn again first.
    setTimeout(() => edit.current?.focus());
  };
  if (interaction.kind === "client_tool") return <p class="buttons">{choose({ decision: "deny" }, texts.deny)}</p>;
  if (interaction.kind === "outcome") {
    return (
      <p class="buttons">
        {choose({ outcome: "done" }, texts.took)}
        {choose({ outcome: "failed" }, texts.tookNot)}
        {choose({ outcome: "retry" }, texts.retry)}
        {choose({ decision: "deny" }, texts.unknown)}
      </p>
    );
  }
  if (isEditing) return <Editor {...props} discard={discard} deny={choose({ decision: "deny" }, texts.deny)} />;
  return (
    <p class="buttons">
      {choose({ decision: "approve" }, texts.approve, "primary")}
      {choose({ decision: "approve_session" }, texts.approveSession)}
      {choose({ decision: "approve_always" }, texts.approveAlways)}
      <button ref={edit} type="button" disabled={isDisabled} onClick={() => setEditing(true)}>
        {texts.edit}
      </button>
      {choose({ decision: "deny" }, texts.deny)}
    </p>
  );
}

interface EditorProps extends ButtonsProps {
  discard(): void;
  deny: ComponentChildren;
}

/** The arguments as a person changes them. */
function Editor({ interaction, isDisabled, refusal, send, discard, deny }: EditorProps) {
  const texts = words.value.interaction;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [kept] = useState(() => writtenFor(interaction).arguments);
  const [edited, setEdited] = useState(() => kept ?? indent(interaction.arguments));
  const [isJson, setJson] = useState(true);
  const [sent, setSent] = useState<string>();
  // What was refused is wrong until it is changed.
  const problem = !isJson ? texts.notJson : sent === edited ? refusalOf(refusal) : "";
  useEffect(() => {
    // A text that was kept is shown without a click, so it takes no focus.
    if (kept === undefined) area.current?.focus();
  }, [kept]);
  useEffect(() => {
    if (problem) area.current?.focus();
  }, [problem]);
  const approve = () => {
    try {
      JSON.parse(edited);
    } catch {
      return setJson(false);
    }
    setSent(edited);
    void send({ decision: "approve" }, edited);
  };
  return (
    <>
      <label class="note">
        {texts.editArguments}
        <textarea
          ref={area}
          class="code"
          rows={Math.min(16, Math.max(4, edited.split("\n").length))}
          spellcheck={false}
          dir="ltr"
          aria-invalid={problem !== ""}
          aria-describedby={problem ? id : undefined}
          value={edited}
          onInput={(event) => {
            setEdited(event.currentTarget.value);
            keepWritten(interaction, { arguments: event.currentTarget.value });
            setJson(true);
          }}
        />
      </label>
      {problem && (
        <p id={id} class="remark error" role="alert" dir="auto">
          {problem}
        </p>
      )}
      <p class="buttons">
        <button type="button" class="primary" disabled={isDisabled} onClick={approve}>
          {texts.approve}
        </button>
        <button type="button" onClick={discard}>
          {texts.discard}
        </button>
        {deny}
      </p>
    </>
  );
}

/** Returns the mistake in changed arguments, without the words that say where they came from. */
function refusalOf(message: string): string {
  return reveal(message.replace(/^arguments: (?:invalid arguments: )?/, ""));
}
