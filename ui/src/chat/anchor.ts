/** The depth to which the element that is looked at is searched for in a turn. */
const DEPTH = 8;

/** So few elements are looked at one after the other. */
const FEW = 16;

/** A shift of less than this is not seen, in pixels. */
const SEEN = 0.5;

interface Place {
  element: Element;
  /** How far the element begins below the upper edge of the window, in pixels: what is above the log may change too. */
  offset: number;
}

/**
 * What the user looks at: the first element of the view. It stays where it is while what is above it changes.
 *
 * The browser's own scroll anchoring is off in the log: it does not know turns that are not mounted, and not all
 * browsers have it.
 */
export class Anchor {
  readonly #scroller: HTMLElement;
  /** The turn at the upper edge of the view, the element of it there, and so on. */
  #places: Place[] = [];
  /** The position when they were noted. */
  #top = 0;
  /** The upper edge of the view at that time: what is above the log goes before the log does. */
  #notedEdge = 0;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /** The turn that is looked at, as an element, and how far it begins below the upper edge of the view. */
  get turn(): Place | undefined {
    const place = this.#places[0];
    return place && { element: place.element, offset: place.offset - this.#notedEdge };
  }

  /** Scrolls by what the element was moved, unless the user moved it. Returns whether the user did. */
  restore(): boolean {
    const scrolled = this.#scroller.scrollTop - this.#top;
    const place = this.#places.findLast(({ element }) => element.isConnected);
    if (place) {
      const shift = topOf(place.element) - (place.offset - scrolled);
      if (Math.abs(shift) > SEEN) this.#scroller.scrollTop += shift;
    }
    const isLost = place !== this.#places.at(-1) || !place;
    if (scrolled !== 0 || isLost || this.#isBelowEdge()) this.note();
    else this.#top = this.#scroller.scrollTop;
    this.#notedEdge = this.#edge();
    return scrolled !== 0;
  }

  /** Notes what is at the upper edge of the view now. */
  note(): void {
    this.#places = [];
    this.#top = this.#scroller.scrollTop;
    const edge = this.#edge();
    this.#notedEdge = edge;
    const end = edge + this.#scroller.clientHeight;
    let parent: Element | null = this.#scroller.firstElementChild;
    for (let depth = 0; parent && depth < DEPTH; depth += 1) {
      const isSeen = (child: Element) => {
        // What stands for turns that are not mounted is nothing to look at.
        if (depth === 0 && child.tagName !== "ARTICLE") return false;
        const box = child.getBoundingClientRect();
        return box.bottom > edge + 1 && box.top < end && box.height > 0;
      };
      const { children }: Element = parent;
      const found = [...children].slice(firstBelow(children, edge)).find(isSeen);
      if (!found) return;
      const offset = topOf(found);
      this.#places.push({ element: found, offset });
      if (offset >= edge) return;
      parent = found;
    }
  }

  /** Scrolls so that an element begins so far below the upper edge of the view. */
  place(element: Element, offset: number): void {
    this.#scroller.scrollTop += topOf(element) - this.#edge() - offset;
    this.note();
  }

  /** Returns whether there is room above the turn that is looked at, where others may have been mounted since. */
  #isBelowEdge(): boolean {
    const [first] = this.#places;
    return first !== undefined && topOf(first.element) > this.#edge() + 1;
  }

  #edge(): number {
    return topOf(this.#scroller);
  }
}

/**
 * Returns a place in a list of elements before which all end above an edge. The elements of a long list stand one below
 * the other, so not all of them have to be looked at.
 */
function firstBelow(children: HTMLCollection, edge: number): number {
  let [first, end] = [0, children.length];
  while (end - first > FEW) {
    const middle = (first + end) >> 1;
    const isAbove = (children[middle]?.getBoundingClientRect().bottom ?? edge) <= edge + 1;
    if (isAbove) first = middle;
    else end = middle;
  }
  return first;
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top;
}
