import { client } from "../shared";

/** Whether an address is that of a file of the user (`blob:ID`), or has the file in it (`data:`). */
export function isFile(url: string): boolean {
  return /^(?:blob|data):/i.test(url);
}

/** Returns the content of such a file. */
export async function loadFile(url: string): Promise<Blob> {
  const head = /^data:[^,]*;base64,/i.exec(url)?.[0];
  if (head) return new Blob([Uint8Array.from(atob(url.slice(head.length)), (byte) => byte.charCodeAt(0))]);
  const id = /^blob:([\w-]+)$/.exec(url)?.[1];
  // An address of any other form could lead elsewhere.
  if (!id) throw new Error(url);
  const response = await client.send("GET", `api/v1/blobs/${id}`);
  return response.blob();
}
