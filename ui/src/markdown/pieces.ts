/**
 * Cuts a long text into pieces of a few screens, of which the browser lays out only those that are seen. They end with
 * a line if they can, else with a word. What is added to the text changes the last piece alone.
 */
export function pieces(text: string): string[] {
  return text.match(/[^]{1,4096}$|[^]{0,4095}\n|[^]{0,4095} |[^]{1,4096}/gu) ?? [text];
}

/** A text as it is written, which may be long and grow. */
export class PlainText {
  readonly element = document.createElement("div");
  #last: Text;
  /** The whole text. */
  text = "";

  constructor(text: string) {
    this.element.className = "pieces";
    this.#last = this.#add("");
    this.append(text);
  }

  append(added: string): void {
    this.text += added;
    const [first = "", ...others] = pieces(this.#last.data + added);
    if (others.length === 0) return this.#last.appendData(added);
    this.#last.data = first;
    for (const piece of others) this.#last = this.#add(piece);
  }

  #add(piece: string): Text {
    const element = document.createElement("div");
    element.className = "plain";
    const text = document.createTextNode(piece);
    element.append(text);
    this.element.append(element);
    return text;
  }
}
