/** The time after which a browser has begun to save a file, in milliseconds. */
const SAVED_MS = 60_000;

/** Offers a file to the user, as a link to it would. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}
