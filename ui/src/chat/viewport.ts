import { signal } from "@preact/signals";
import type { History } from "../state/history";
import { Anchor } from "./anchor";
import { Heights } from "./heights";

/** A view that is so close to the end follows it, in pixels. */
const NEAR = 48;

/** The most turns that are mounted. */
const MOUNTED = 60;

/** So few turns are all mounted. */
const FEW = 20;

/** Turns are mounted this far above and below the view, as soon as less than `LEAST` are. In heights of the view. */
const AROUND = 1.5;
const LEAST = 0.5;

/** Turns are loaded when the view is so close to the first or last held one. In heights of the view. */
const EDGE = 2;

/** The space above a turn to which the user jumped, in pixels. */
const MARGIN = 16;

/** A turn that the view is to show. */
interface Aim {
  turn: string;
  offset: number;
  /** Whether the turn gets the focus. */
  focus?: boolean;
  /** The direction of the turn to show if this one has nothing to draw. */
  step?: 1 | -1;
}

/** Where the user left sessions, for the time when they come back. */
const positions = new Map<string, Aim>();

/** What of the held turns is mounted, and what the user sees of it. */
export class Viewport {
  /** Whether the view follows the newest turn. */
  readonly isAtEnd = signal(true);
  /** The first turn in the view. */
  readonly viewed = signal<string | undefined>(undefined);
  /** The turn that the address names, or that was found by its words. */
  readonly marked = signal<string | undefined>(undefined);

  readonly #history: History;
  readonly #heights = new Heights();
  readonly #changed = signal(0);
  #scroller: HTMLElement | undefined;
  #content: HTMLElement | undefined;
  #anchor: Anchor | undefined;
  #gap = 0;
  #order: string[] = [];
  #range = { start: 0, end: 0 };
  /** The turns that were drawn last. */
  #drawn: string[] = [];
  #aim: Aim | undefined;
  #hadFocus = false;
  /** The position of the end that was last scrolled to. */
  #end = 0;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Begins at a turn, where the user left the session, or at its end. */
  constructor(history: History, at: string | undefined) {
    this.#history = history;
    this.#aim = at ? { turn: at, offset: MARGIN } : positions.get(history.session);
    this.marked.value = at;
    this.isAtEnd.value = this.#aim === undefined;
    history.begin = this.#aim?.turn;
    history.viewed = this.#aim?.turn;
  }

  /** Begins to watch the elements. Returns a function that ends it. */
  attach(scroller: HTMLElement, content: HTMLElement): () => void {
    this.#scroller = scroller;
    this.#content = content;
    this.#anchor = new Anchor(scroller);
    this.#gap = Number.parseFloat(getComputedStyle(content).rowGap) || 0;
    const observer = new ResizeObserver(() => this.#resized());
    observer.observe(content);
    observer.observe(scroller);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(this.#frame);
      clearTimeout(this.#timer);
      const { turn } = this.#anchor ?? {};
      if (this.isAtEnd.peek() || !turn) positions.delete(this.#history.session);
      else positions.set(this.#history.session, { turn: idOf(turn.element), offset: turn.offset });
    };
  }

  /** Returns the turns to draw, and how many held ones are before and after them. */
  mounted(): { turns: string[]; before: number; after: number } {
    // What is mounted changes with the view as well.
    void this.#changed.value;
    const order = this.#history.order.value;
    if (order !== this.#order) {
      this.#order = order;
      this.#heights.keep(order);
      this.#choose();
    }
    const { start, end } = this.#range;
    return { turns: order.slice(start, end), before: start, after: order.length - end };
  }

  /** Puts the view where it was, or where it should be, after the elements have changed. */
  committed(): void {
    const scroller = this.#scroller;
    if (!scroller || !this.#content) return;
    this.#drawn = this.#order.slice(this.#range.start, this.#range.end);
    this.#space();
    if (!this.#reachAim()) {
      if (this.isAtEnd.peek()) this.#toEnd();
      else this.#anchor?.restore();
    }
    if (this.#hadFocus && document.activeElement === document.body) scroller.focus({ preventScroll: true });
    this.#hadFocus = false;
    this.#mark();
    this.#later();
  }

  /** Follows what the user scrolled to. */
  scrolled(): void {
    const scroller = this.#scroller;
    if (!scroller || this.#aim) return;
    // The end moves while an answer is written. Only who scrolls back leaves it.
    if (!this.isAtEnd.peek() || scroller.scrollTop < this.#end - 1) {
      this.#anchor?.restore();
      this.isAtEnd.value =
        this.#history.isLive.peek() && this.#range.end === this.#order.length && this.#below() < NEAR;
    }
    this.#look();
  }

  /** Shows a turn, which is given by its id or its number. */
  async jump(to: string | number, focus = false): Promise<void> {
    await this.#history.jump(to, (turn) => this.show({ turn, offset: MARGIN, focus }));
  }

  /** Shows and marks a turn. */
  async jumpTo(turn: string): Promise<void> {
    this.marked.value = turn;
    await this.jump(turn);
  }

  /** Shows the end of the session, and follows it. */
  async toNewest(): Promise<void> {
    await this.#history.showNewest();
    this.#aim = undefined;
    this.isAtEnd.value = true;
    this.#mountOthers();
  }

  /** Moves the focus to the next turn, or the one before. */
  async step(step: 1 | -1): Promise<void> {
    const focused = document.activeElement?.closest("article");
    const from = focused && this.#content?.contains(focused) ? idOf(focused) : this.viewed.peek();
    const next = () => this.#order[this.#order.indexOf(from ?? "") + step];
    if (!next()) await (step > 0 ? this.#history.loadLater() : this.#history.loadEarlier()).catch(() => {});
    const turn = next() ?? from;
    if (turn) this.show({ turn, offset: MARGIN, focus: true, step });
  }

  /** Shows a held turn at a place of the view. */
  show(aim: Aim): void {
    this.#aim = aim;
    this.#history.viewed = aim.turn;
    this.isAtEnd.value = false;
    if (this.#order.includes(aim.turn)) this.#choose();
    // The view moves even if the same turns stay mounted.
    this.#changed.value += 1;
  }

  /** Scrolls to the turn that is to be shown, as soon as it is mounted. Returns whether there is such a turn. */
  #reachAim(): boolean {
    const aim = this.#aim;
    if (!aim) return false;
    const index = this.#order.indexOf(aim.turn);
    const article = document.getElementById(`t-${aim.turn}`);
    if (index < 0 && !this.#history.isLoaded.peek()) return true;
    this.#aim = undefined;
    if (article) {
      if (aim.focus) {
        article.tabIndex = -1;
        article.focus({ preventScroll: true });
      }
      this.#anchor?.place(article, aim.offset);
      if (this.#history.isLive.peek() && this.#below() < 1) this.isAtEnd.value = true;
      return true;
    }
    const neighbour = index < 0 ? undefined : this.#order[index + (aim.step ?? 1)];
    if (neighbour) this.show({ ...aim, turn: neighbour });
    else this.#mountOthers();
    return false;
  }

  #toEnd(): void {
    if (!this.#scroller) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#end = this.#scroller.scrollTop;
    this.#anchor?.note();
  }

  /** Keeps the view in its place when a turn grows, an image arrives, or the window changes. */
  #resized(): void {
    if (this.isAtEnd.peek()) this.#toEnd();
    else if (!this.#aim) this.#anchor?.restore();
    // Changes of elements are not allowed in an observer, and asking for a frame would draw one more.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look());
  }

  /** Looks at what is in the view before the next frame. */
  #later(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#look());
  }

  /** Mounts and loads what the view comes close to. */
  #look(): void {
    if (!this.#scroller || this.#order.length === 0 || this.#aim) return;
    const viewed = this.#firstInView();
    this.#history.viewed = this.isAtEnd.peek() ? undefined : viewed;
    this.viewed.value = viewed;
    if (!this.#isCovered()) this.#mountOthers();
    const near = EDGE * this.#height();
    if (this.#scroller.scrollTop < near) void this.#history.loadEarlier().catch(() => {});
    if (this.#below() < near) void this.#history.loadLater().catch(() => {});
  }

  #firstInView(): string | undefined {
    const turn = this.#anchor?.turn;
    if (turn) return idOf(turn.element);
    const [above, below] = this.#spaces();
    const edge = this.#scroller?.getBoundingClientRect().top ?? 0;
    const order = this.#order;
    const passed = (space: Element, turns: string[]) =>
      this.#heights.at(turns, edge - space.getBoundingClientRect().top);
    if (above && above.getBoundingClientRect().bottom > edge) return order[passed(above, order)];
    const { end } = this.#range;
    return below ? order[end + passed(below, order.slice(end))] : order.at(-1);
  }

  /** Returns whether enough is mounted around the view. */
  #isCovered(): boolean {
    if (!this.#scroller) return true;
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const [above, below] = this.#spaces();
    const least = LEAST * this.#height();
    const isTop = !above || above.getBoundingClientRect().bottom < top - least;
    return isTop && (!below || below.getBoundingClientRect().top > bottom + least);
  }

  #mountOthers(): void {
    const { start, end } = this.#range;
    this.#choose();
    if (start !== this.#range.start || end !== this.#range.end) this.#changed.value += 1;
  }

  /** Chooses the turns to mount. */
  #choose(): void {
    this.#measure();
    const order = this.#order;
    const height = this.#height();
    const viewed = order.indexOf(this.#aim?.turn ?? this.#history.viewed ?? "");
    // What was looked at is not there any more, as after a change of the branch.
    if (viewed < 0 && !this.#aim) this.isAtEnd.value = this.#history.isLive.peek();
    const isAtEnd = this.isAtEnd.peek();
    this.#hadFocus = this.#content?.contains(document.activeElement) ?? false;
    this.#range = { start: 0, end: order.length };
    if (order.length <= FEW) return;
    const first = isAtEnd ? this.#heights.away(order, order.length, -1, height) : Math.max(0, viewed);
    const start = this.#heights.away(order, first, -1, AROUND * height);
    const end = isAtEnd ? order.length : this.#heights.away(order, first, 1, (1 + AROUND) * height) + 1;
    this.#range = this.#limited(start, Math.min(end, order.length), first);
  }

  /** Keeps the number of mounted turns within the limit, and a selection in them if it fits. */
  #limited(start: number, end: number, first: number): { start: number; end: number } {
    const selected = this.#selected();
    const [from, to] = [Math.min(start, ...selected), Math.max(end, ...selected.map((index) => index + 1))];
    if (to - from <= MOUNTED) return { start: from, end: to };
    if (end - start <= MOUNTED) return { start, end };
    if (end === this.#order.length) return { start: end - MOUNTED, end };
    const above = Math.max(start, first - MOUNTED / 3);
    return { start: above, end: above + MOUNTED };
  }

  /** Returns the places of the turns in which the selection of the user begins and ends. */
  #selected(): number[] {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed) return [];
    const articles = [selection.anchorNode, selection.focusNode].map((node) => node?.parentElement?.closest("article"));
    return articles.flatMap((article) => {
      const index = article ? this.#order.indexOf(idOf(article)) : -1;
      return index < 0 ? [] : [index];
    });
  }

  #measure(): void {
    const articles = [...(this.#content?.children ?? [])].filter((child) => child.tagName === "ARTICLE");
    const heights = new Map(
      articles.map((article) => [idOf(article), article.getBoundingClientRect().height + this.#gap]),
    );
    // A turn without anything to draw has no height.
    for (const turn of this.#drawn) this.#heights.set(turn, heights.get(turn) ?? 0);
  }

  /** Makes the space of the turns that are not mounted as high as they are. */
  #space(): void {
    const { start, end } = this.#range;
    const [above, below] = this.#spaces();
    const set = (space: HTMLElement | undefined, turns: string[]) => {
      if (space) space.style.blockSize = `${Math.max(0, this.#heights.sum(turns) - this.#gap)}px`;
    };
    set(above, this.#order.slice(0, start));
    set(below, this.#order.slice(end));
  }

  #spaces(): (HTMLElement | undefined)[] {
    const find = (name: string) => this.#content?.querySelector<HTMLElement>(`:scope > .${name}`) ?? undefined;
    return [find("turns-above"), find("turns-below")];
  }

  #mark(): void {
    const marked = this.marked.peek();
    for (const article of this.#content?.querySelectorAll(":scope > article") ?? []) {
      if (idOf(article) === marked) article.setAttribute("aria-current", "true");
      else article.removeAttribute("aria-current");
    }
  }

  #height(): number {
    return this.#scroller?.clientHeight || innerHeight;
  }

  /** Returns how much is below the view. */
  #below(): number {
    const scroller = this.#scroller;
    return scroller ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight : 0;
  }
}

function idOf(article: Element): string {
  return article.id.slice(2);
}
