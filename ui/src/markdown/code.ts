import { highlighter, SpanEmitter } from "./highlighter";

// Colours of code. Loaded with the first block of code whose language is known.

/** The longest code that is coloured, in characters: about 500 lines. */
const LONGEST = 20_000;

/**
 * Long lines, words and gaps, which are data rather than code. Some grammars take time by the square of their length or
 * more: a thousand characters of one word are minutes.
 */
const TOO_LONG = /.{500}|\w{100}|\s{200}/;

/** Blocks that wait for their colours. */
const waiting: { code: HTMLElement; language: string }[] = [];

/** Colours a block in a task of its own, so that a conversation with many of them stays alive. */
export function colourSoon(code: HTMLElement, language: string): void {
  waiting.push({ code, language });
  if (waiting.length === 1) setTimeout(colourNext);
}

function colourNext(): void {
  const [next] = waiting;
  // A block that left the page meanwhile is drawn again when it returns.
  if (next?.code.isConnected) colourNow(next.code, next.language);
  waiting.shift();
  if (waiting.length > 0) setTimeout(colourNext);
}

/** Puts the tokens of a block into elements. The text stays the same. */
export function colourNow(code: HTMLElement, language: string): void {
  const text = code.textContent ?? "";
  if (text.length > LONGEST || TOO_LONG.test(text)) return;
  const { _emitter, errorRaised } = highlighter.highlight(text, { language, ignoreIllegals: true });
  if (errorRaised || !(_emitter instanceof SpanEmitter) || _emitter.content.textContent !== text) return;
  code.replaceChildren(_emitter.content);
}

/** Reports whether a language has colours. */
export function isKnown(language: string): boolean {
  return highlighter.getLanguage(language) !== undefined;
}
