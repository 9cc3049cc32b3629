/** What a model can read, and how large it may be: what the server accepts in a message. */
const LIMITS = { image: 5 * 1024 * 1024, document: 16 * 1024 * 1024, text: 256 * 1024 } as const;

export type FileKind = keyof typeof LIMITS;

/** Why a file cannot belong to a message. */
export type Refusal = "heic" | "svg" | "other" | "empty" | { tooLarge: FileKind; limit: number };

/** What is read to recognise a file. */
const HEAD_BYTES = 4096;

/** The bytes with which files begin, as characters. */
const BEGINNINGS: [RegExp, FileKind][] = [
  [/^\x89PNG\r\n\x1a\n/, "image"],
  [/^\xff\xd8\xff/, "image"],
  [/^GIF8[79]a/, "image"],
  [/^RIFF[^]{4}WEBP/, "image"],
  [/^%PDF-/, "document"],
];

/** Looks at the content of a file, as the server does: names and types may be wrong. */
export async function recognise(file: File): Promise<FileKind | Refusal> {
  if (file.size === 0) return "empty";
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const beginning = String.fromCharCode(...head.subarray(0, 32));
  const known = BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
  if (known) return limited(known, file);
  if (/^[^]{4}ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/.test(beginning)) return "heic";
  if (file.type === "image/svg+xml" || /\.svgz?$/i.test(file.name)) return "svg";
  if (!isText(head, { stream: true })) return "other";
  if (file.size > LIMITS.text) return limited("text", file);
  return isText(new Uint8Array(await file.arrayBuffer())) ? "text" : "other";
}

function limited(kind: FileKind, file: File): FileKind | Refusal {
  return file.size > LIMITS[kind] ? { tooLarge: kind, limit: LIMITS[kind] } : kind;
}

/** Reports whether bytes are UTF-8 without a NUL. With `stream`, the last character may be incomplete. */
function isText(bytes: Uint8Array, options: TextDecodeOptions = {}): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}
