/** The formats in which an address that is not of a listed vendor may speak. */
export const WIRES = ["openai-chat", "openai-responses", "anthropic", "gemini"] as const;

export interface Choice {
  /** Absent if an address is given instead. */
  vendor?: string | undefined;
  address: string;
  wire: string;
  model: string;
  /** The name of the variable with the API key; empty if none is needed. */
  key: string;
}

/** The vendors that the form offers, with a model of each; docs/providers.md lists all. */
export const VENDORS = [
  { vendor: "openai", key: "OPENAI_API_KEY", model: "gpt-5-mini" },
  { vendor: "anthropic", key: "ANTHROPIC_API_KEY", model: "claude-sonnet-4-5" },
  { vendor: "gemini", key: "GEMINI_API_KEY", model: "gemini-2.5-flash" },
  { vendor: "openrouter", key: "OPENROUTER_API_KEY", model: "openai/gpt-5-mini" },
  { vendor: "ollama", key: "", model: "qwen3" },
];

/** Returns the lines of `turnkit.toml` that add a model. */
export function configurationOf({ vendor, address, wire, model, key }: Choice): string {
  const name = key.trim().replace(/[^A-Za-z0-9_]/g, "");
  return [
    "[[providers]]",
    'id = "main"',
    // Strings of TOML have the escapes of JSON.
    ...(vendor ? [`vendor = ${quote(vendor)}`] : [`api = ${quote(wire)}`, `base_url = ${quote(address.trim())}`]),
    ...(name ? [`api_key = "\${${name}}"`] : []),
    `models = [${quote(model.trim())}]`,
  ].join("\n");
}

function quote(text: string): string {
  return JSON.stringify(text);
}
