import { load, save, type Thinking, type TurnOptions } from "../../shared";

export const THINKING = ["off", "low", "medium", "high", "max"] as const satisfies readonly Thinking[];

/** What the user chose for the turns of a session. An absent field has the value of the session or of its agent. */
export interface Options {
  agent?: string;
  model?: string;
  thinking?: Thinking;
  tools?: "none";
}

/** Returns the choices for a session, or for the next new session. */
export function loadOptions(session: string | undefined): Options {
  try {
    const stored: unknown = JSON.parse(load(nameOf(session)) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    const { agent, model, thinking, tools } = stored as Record<string, unknown>;
    const level = THINKING.find((level) => level === thinking);
    return {
      ...(typeof agent === "string" && { agent }),
      ...(typeof model === "string" && { model }),
      ...(level && { thinking: level }),
      ...(tools === "none" && { tools }),
    };
  } catch {
    return {};
  }
}

export function saveOptions(session: string | undefined, options: Options): void {
  const isDefault = Object.keys(options).length === 0;
  save(nameOf(session), isDefault ? undefined : JSON.stringify(options));
}

/** Returns the choices with one of them changed, or removed. */
export function withOption<K extends keyof Options>(options: Options, key: K, value: Options[K] | undefined): Options {
  const { [key]: _, ...others } = options;
  return value === undefined ? (others as Options) : { ...others, [key]: value };
}

/** Returns the fields of a request that ask for these choices. */
export function fieldsOf({ agent, model, thinking, tools }: Options): TurnOptions {
  return {
    ...(agent && { agent }),
    ...(model && { route: { model } }),
    ...(thinking && { params: { thinking } }),
    ...(tools && { tools }),
  };
}

function nameOf(session: string | undefined): string {
  return `turnkit.options.${session ?? "new"}`;
}
