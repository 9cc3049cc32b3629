/** Characters that are not seen, or that change the order in which others are seen. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** Returns the address that a link of a model may have; `undefined` if it may have none. */
export function safeAddress(address: string): string | undefined {
  const seen = withoutUnseen(address).trim();
  try {
    // A relative address would be one of this server.
    const url = new URL(seen);
    return PROTOCOLS.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Hosts that a text names: at its beginning, and in addresses. */
const HOSTS = /(?:^|\w+:\/\/)((?:[^\s./:?#@]+\.)+(?:\p{L}[^\s./:?#@,;)]+|\d+(?=[/:?#]|$)))/gu;

/**
 * Returns the host of an address if the text of its link names another one, or has characters that are not seen:
 * then the reader is told where the link leads.
 */
export function hostBehind(text: string, address: string): string | undefined {
  const { host, hostname } = new URL(address);
  const named = [...text.trim().matchAll(HOSTS)].map(([, name = ""]) => name.toLowerCase());
  const isOther = text !== withoutUnseen(text) || named.some((name) => name !== hostname);
  return host && isOther ? host : undefined;
}

/** Returns the address of an image that the page may show: only one that is part of the text. */
export function safeImage(address: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i.test(address) ? address : undefined;
}

/** Removes the characters that are not seen, or that change the order in which others are seen. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

/** Makes every character visible that is not seen by itself, except for line breaks and tabs. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === "\n" || character === "\t") return character;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
