import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Agent, client, type Model } from "../../shared";
import { words } from "../strings";
import { type Options, THINKING, withOption } from "./options";

interface OptionsPanelProps {
  options: Options;
  choose(options: Options): void;
  close(): void;
}

interface Offer {
  agents: Agent[];
  models: Model[];
}

/** What can be chosen for the next turns of a session, over the field of the message. */
export function OptionsPanel({ options, choose, close }: OptionsPanelProps) {
  const { title, agent, model, thinking, tools, asAgent, withoutTools, withTools } = words.value.options;
  const { levels, options: name } = words.value.composer;
  const panel = useRef<HTMLDivElement>(null);
  const [{ agents, models }, setOffer] = useState<Offer>({ agents: [], models: [] });
  useEffect(() => void loadOffer().then(setOffer), []);
  useEffect(() => {
    panel.current?.querySelector("select")?.focus();
    const pressOutside = (event: PointerEvent) => {
      if (event.target instanceof Element && !event.target.closest(".options, [aria-haspopup]")) close();
    };
    addEventListener("pointerdown", pressOutside);
    return () => removeEventListener("pointerdown", pressOutside);
  }, []);
  const set = <K extends keyof Options>(key: K, value: string) => {
    choose(withOption(options, key, (value || undefined) as Options[K] | undefined));
  };
  return (
    <div
      ref={panel}
      class="options"
      role="dialog"
      aria-label={name}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <p class="remark">{title}</p>
      {agents.length > 0 && (
        <Choice label={agent} value={options.agent} none={asAgent} set={(value) => set("agent", value)}>
          {agents.map(({ name, description }) => (
            <option key={name} value={name} title={description}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      {models.length > 0 && (
        <Choice label={model} value={options.model} none={asAgent} set={(value) => set("model", value)}>
          {[...new Set(models.map(({ id }) => id))].map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </Choice>
      )}
      <Choice label={thinking} value={options.thinking} none={asAgent} set={(value) => set("thinking", value)}>
        {THINKING.map((level) => (
          <option key={level} value={level}>
            {levels[level]}
          </option>
        ))}
      </Choice>
      <Choice label={tools} value={options.tools} none={withTools} set={(value) => set("tools", value)}>
        <option value="none">{withoutTools}</option>
      </Choice>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  /** The name of the choice that leaves it to the agent. */
  none: string;
  set(value: string): void;
  children: ComponentChildren;
}

function Choice({ label, value = "", none, set, children }: ChoiceProps) {
  return (
    <label class="note">
      {label}
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{none}</option>
        {children}
      </select>
    </label>
  );
}

/** Asks for the agents and the models that the user may choose. A server that cannot list them offers no choice. */
async function loadOffer(): Promise<Offer> {
  const [agents, models] = await Promise.all([
    client.agents().catch(() => undefined),
    client.models().catch(() => undefined),
  ]);
  return { agents: agents?.data ?? [], models: models?.data ?? [] };
}
