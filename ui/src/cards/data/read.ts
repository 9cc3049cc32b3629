import type { ToolData } from "../../shared";

export interface TableData {
  kind: "table";
  columns: string[];
  rows: unknown[][];
}

export interface SourceData {
  title: string;
  url?: string;
  text?: string;
}

export type KnownData =
  | TableData
  | { kind: "sources"; sources: SourceData[] }
  | { kind: "image" | "file"; url: string; media_type: string; name?: string };

/** Returns data of a known type; `undefined` if the type is another one, or the payload has another form. */
export function readPayload({ kind, payload }: ToolData): KnownData | undefined {
  if (kind === "table") return readTable(payload);
  if (kind === "sources") return readSources(payload);
  if (kind !== "image" && kind !== "file") return undefined;
  if (!isRecord(payload) || typeof payload.url !== "string" || !payload.url.startsWith("blob:")) return undefined;
  const media_type = typeof payload.media_type === "string" ? payload.media_type : "";
  const known = { kind, url: payload.url, media_type } as const;
  return typeof payload.name === "string" ? { ...known, name: payload.name } : known;
}

function readTable(payload: unknown): TableData | undefined {
  if (!isRecord(payload)) return undefined;
  const { columns, rows } = payload;
  const isTable =
    Array.isArray(columns) &&
    columns.every((column) => typeof column === "string") &&
    Array.isArray(rows) &&
    rows.every((row) => Array.isArray(row));
  return isTable ? { kind: "table", columns, rows } : undefined;
}

function readSources(payload: unknown): KnownData | undefined {
  const list = isRecord(payload) ? payload.sources : payload;
  if (!Array.isArray(list)) return undefined;
  const sources = list.map((source: unknown): SourceData | undefined => {
    if (!isRecord(source)) return undefined;
    const { title, url, text } = source;
    const name = typeof title === "string" ? title : url;
    if (typeof name !== "string") return undefined;
    return {
      title: name,
      ...(typeof url === "string" && { url }),
      ...(typeof text === "string" && { text }),
    };
  });
  return sources.every((source) => source !== undefined) ? { kind: "sources", sources } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
