import { reveal } from "../reveal";
import { words } from "../strings";
import { useId } from "../useId";
import type { Entry } from "./answer";
import type { Field } from "./fields";
import type { FieldProblem } from "./problems";

/** As many choices are shown side by side. */
const SHOWN_CHOICES = 5;

interface FieldInputProps {
  field: Field;
  entry: Entry;
  problem: FieldProblem | undefined;
  change(entry: Entry): void;
}

/** A field of a form, with its description and what is wrong with it. */
export function FieldInput(props: FieldInputProps) {
  const { field, problem } = props;
  const id = useId();
  const texts = words.value.interaction;
  const name = field.label === "" ? texts.answer : reveal(field.label);
  const label = field.isRequired || field.kind === "boolean" ? name : `${name} (${texts.optional})`;
  const notes = [field.description && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const described = { "aria-describedby": notes || undefined, "aria-invalid": problem !== undefined };
  return (
    <div class="field">
      <Control {...props} id={id} label={label} described={described} />
      {field.description && (
        <p id={`${id}-about`} class="remark" dir="auto">
          {reveal(field.description)}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} class="remark error" dir="auto">
          {texts.problem(problem)}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends FieldInputProps {
  id: string;
  label: string;
  described: { "aria-describedby": string | undefined; "aria-invalid": boolean };
}

function Control({ field, entry, change, id, label, described }: ControlProps) {
  if (field.kind === "boolean") {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={entry === true}
          onChange={(event) => change(event.currentTarget.checked)}
          {...described}
        />
        <span dir="auto">{label}</span>
      </label>
    );
  }
  const isChoice = field.kind === "choice";
  if (field.kind === "choices" || (isChoice && field.choices.length <= SHOWN_CHOICES)) {
    const chosen = Array.isArray(entry) ? entry : entry === "" ? [] : [Number(entry)];
    const choose = (place: number, isChosen: boolean) => {
      if (isChoice) return change(String(place));
      change(isChosen ? [...chosen, place].sort((a, b) => a - b) : chosen.filter((other) => other !== place));
    };
    return (
      <fieldset role={isChoice ? "radiogroup" : undefined} aria-describedby={described["aria-describedby"]}>
        <legend dir="auto">{label}</legend>
        {field.choices.map((choice, place) => (
          <label key={place} class="check">
            <input
              type={isChoice ? "radio" : "checkbox"}
              name={id}
              checked={chosen.includes(place)}
              onChange={(event) => choose(place, event.currentTarget.checked)}
            />
            <span dir="auto">{reveal(choice.label)}</span>
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <label class="note">
      <span dir="auto">{label}</span>
      {isChoice ? (
        <select value={String(entry)} onChange={(event) => change(event.currentTarget.value)} {...described}>
          <option value="">{words.value.interaction.choose}</option>
          {field.choices.map((choice, place) => (
            <option key={place} value={String(place)}>
              {reveal(choice.label)}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          inputMode={field.kind === "integer" ? "numeric" : field.kind === "number" ? "decimal" : undefined}
          dir="auto"
          value={String(entry)}
          onInput={(event) => change(event.currentTarget.value)}
          {...described}
        />
      )}
    </label>
  );
}
