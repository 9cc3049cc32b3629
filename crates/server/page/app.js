// src/chat/callState.ts
function stateOf(conversation, { id, tool }, isOver) {
  if (tool?.ok === true) return "done";
  if (tool?.ok === false) return tool.error === "denied" ? "denied" : "failed";
  if (isOver) return "failed";
  if (conversation.pending.value.some((interaction) => interaction.id.startsWith(`${id}.`))) return "waiting";
  return tool ? "running" : "writing";
}

// src/markdown/links.ts
var UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
var PROTOCOLS = /* @__PURE__ */ new Set(["http:", "https:", "mailto:"]);
function safeAddress(address) {
  const seen = withoutUnseen(address).trim();
  try {
    const url = new URL(seen);
    return PROTOCOLS.has(url.protocol) ? url.href : void 0;
  } catch {
    return void 0;
  }
}
var HOSTS = new RegExp("(?:^|\\w+:\\/\\/)((?:[^\\s./:?#@]+\\.)+(?:\\p{L}[^\\s./:?#@,;)]+|\\d+(?=[/:?#]|$)))", "gu");
function hostBehind(text2, address) {
  const { host, hostname } = new URL(address);
  const named = [...text2.trim().matchAll(HOSTS)].map(([, name = ""]) => name.toLowerCase());
  const isOther = text2 !== withoutUnseen(text2) || named.some((name) => name !== hostname);
  return host && isOther ? host : void 0;
}
function safeImage(address) {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i.test(address) ? address : void 0;
}
function withoutUnseen(text2) {
  return text2.replace(UNSEEN, "");
}
function visible(text2) {
  return text2.replace(UNSEEN, (character) => {
    if (character === "\n" || character === "	") return character;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

// src/markdown/Markdown.tsx
import { useLayoutEffect, useRef } from "./vendor.js";

// src/strings/index.ts
import { computed, effect, signal } from "./vendor.js";

// src/state/storage.ts
function load(key, area = "localStorage") {
  try {
    return globalThis[area].getItem(key) ?? void 0;
  } catch {
    return void 0;
  }
}
var isForgotten = false;
function save(key, text2, area = "localStorage") {
  if (isForgotten) return;
  try {
    if (text2 === void 0) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text2);
  } catch {
  }
}
var FILES_DATABASE = "turnkit";
function forgetAll() {
  isForgotten = true;
  try {
    indexedDB.deleteDatabase(FILES_DATABASE);
  } catch {
  }
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith("turnkit.")) storage.removeItem(key);
    }
  } catch {
  }
}

// src/strings/en.ts
var en = {
  page: {
    /** The direction in which the language is written. */
    direction: "ltr",
    title: "turnkit",
    skip: "Skip to the content",
    lost: "The connection to the server is lost. Trying again…",
    newBuild: "A newer version of this page is available.",
    reload: "Reload",
    close: "Close",
    cancel: "Cancel",
    loading: "Loading…",
    unreachable: "The server cannot be reached.",
    tryAgain: "Try again",
    notLoaded: "This part of the page could not be loaded. The server may have been updated, or cannot be reached.",
    failed: (message) => `That did not work: ${message}`,
    notFound: "There is no such session, or it belongs to another user."
  },
  signIn: {
    title: "Sign in",
    refused: "The server does not accept it.",
    lacks: "It lacks the scope “read”, which this page needs."
  },
  sessions: {
    title: "Sessions",
    new: "New session",
    search: "Search sessions",
    none: "No sessions yet",
    noneFound: "Nothing found",
    more: "Show more",
    untitled: "Untitled session",
    list: "All sessions"
  },
  needs: {
    title: "Needs you",
    count: (count2) => count2 === 1 ? "1 decision" : `${count2} decisions`,
    none: "No decisions are waiting."
  },
  chat: {
    conversation: "Conversation",
    message: "Message",
    placeholder: "Write a message",
    send: "Send",
    stop: "Stop",
    stopping: "Stopping…",
    latest: "Jump to the latest",
    welcome: "What can I do for you?",
    you: "You",
    empty: "Nothing was written.",
    copy: "Copy",
    copied: "Copied",
    reasoning: "Reasoning",
    withdraw: "Withdraw",
    queued: "Waits for its turn",
    steering: "Will be read in the next step",
    image: "Image",
    externalImage: (host) => `Image from ${host}`,
    suggestions: ["What is 12.5% of 840?", "What day is it today?", "Say hello"]
  },
  log: {
    turn: (number) => `Turn ${number}`,
    search: "Search this session",
    found: "Turns found"
  },
  status: {
    ready: "Ready",
    connecting: "Connecting…",
    answering: "Answering…",
    thinking: "Waiting for the model…",
    tool: (name) => `${name} is running…`,
    decision: "Waiting for your decision",
    stopping: "Stopping…",
    lost: "Connection lost",
    ended: {
      completed: "Complete",
      failed: "Failed",
      cancelled: "Stopped",
      limit: "Stopped by a limit",
      interrupted: "Interrupted by another message",
      expired: "Expired"
    }
  },
  tool: {
    waiting: "waiting for you",
    writing: "being prepared",
    running: "running",
    done: "done",
    failed: "failed",
    denied: "denied"
  },
  settings: {
    title: "Settings"
  },
  composer: {
    steer: "Steer",
    steerHint: "The running answer reads the message in its next step.",
    queueHint: "The message waits until the running answer has ended.",
    steering: "steers",
    queued: "queued",
    waiting: "Waiting messages"
  },
  tasks: {
    done: "done",
    open: "open"
  },
  rail: {
    shortcuts: "Keyboard shortcuts"
  },
  operator: {
    title: "Operator",
    turns: "Turns",
    usage: "Usage",
    providers: "Providers",
    tools: "Tools",
    keys: "Keys",
    recordings: "Recordings"
  },
  feed: {
    deleted: "This session was deleted."
  }
};

// src/strings/index.ts
var NAMES = { en: "English", de: "Deutsch" };
var LANGUAGES = Object.keys(NAMES);
var KEY = "turnkit.language";
var language = signal(known(load(KEY)) ?? fromBrowser());
var tables = signal({ en });
var strings = computed(() => tables.value[language.value] ?? en);
var locale = computed(() => {
  return navigator.languages.find((tag) => tag.split("-")[0] === language.value) ?? language.value;
});
effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dir = strings.value.page.direction;
});
async function loadTexts(wanted = language.value) {
  if (tables.value[wanted]) return;
  const { de } = await import("./de.js");
  tables.value = { ...tables.value, de };
}
async function chooseLanguage(chosen) {
  await loadTexts(chosen);
  language.value = chosen;
  save(KEY, chosen);
}
function nameOf(one) {
  return NAMES[one];
}
function formatTime(iso) {
  if (!iso) return "";
  const date = new Date(iso);
  const isToday = date.toDateString() === (/* @__PURE__ */ new Date()).toDateString();
  const options = { timeStyle: "short", ...!isToday && { dateStyle: "medium" } };
  return new Intl.DateTimeFormat(locale.value, options).format(date);
}
function formatNumber(value) {
  return new Intl.NumberFormat(locale.value).format(value);
}
function known(text2) {
  return LANGUAGES.find((language2) => language2 === text2);
}
function fromBrowser() {
  const found = navigator.languages.map((tag) => known(tag.split("-")[0])).find((language2) => language2 !== void 0);
  return found ?? "en";
}

// src/state/later.ts
import { signal as signal2 } from "./vendor.js";
var more = signal2(void 0);
var loadMore = once(async () => {
  more.value = await import("./more.js");
  return more.value;
});
var cards = signal2(void 0);
var loadCards = once(async () => {
  cards.value = await import("./cards.js");
});
function loadMoreSoon() {
  const begin = () => void loadMore().catch(() => {
  });
  if (typeof requestIdleCallback === "function") requestIdleCallback(begin, { timeout: 2e3 });
  else setTimeout(begin, 500);
}
function once(load3) {
  let loading;
  return () => {
    loading ??= load3();
    loading.catch(() => {
      loading = void 0;
    });
    return loading;
  };
}

// src/markdown/colours.ts
var loadCode = once(() => import("./code.js"));
var LANGUAGES2 = new Set(
  "bash c c# c++ cc cjs console cpp cs csharp css diff docker dockerfile go h hpp html ini java javascript js json jsonc jsx kotlin kt less lua make makefile markdown md mjs patch php py python rs rust scss sh shell sql svg toml ts tsx typescript xml yaml yml zsh".split(" ")
);
function colour(code2, language2) {
  const known2 = language2.toLowerCase();
  if (!LANGUAGES2.has(known2)) return;
  void loadCode().then(
    (part) => part.colourSoon(code2, known2),
    () => {
    }
  );
}

// src/markdown/copy.ts
var SAID_MS = 2e3;
async function copy(text2) {
  try {
    await navigator.clipboard.writeText(text2);
    return true;
  } catch {
    return copyBySelection(text2);
  }
}
function copyBySelection(text2) {
  const area = document.createElement("textarea");
  area.value = text2;
  area.className = "unseen";
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const hasCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return hasCopied;
}
function copyButton(text2) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = strings.peek().chat.copy;
  button.addEventListener("click", () => {
    void copy(text2()).then((hasCopied) => {
      if (!hasCopied) return;
      button.textContent = strings.peek().chat.copied;
      setTimeout(() => {
        button.textContent = strings.peek().chat.copy;
      }, SAID_MS);
    });
  });
  return button;
}

// src/markdown/formulaNode.ts
var loadMath = once(() => import("./math.js"));
function formula({ type, raw, text: text2 }) {
  const whole = document.createElement("span");
  whole.textContent = raw.trim();
  void loadMath().then(
    (part) => part.drawFormula(whole, text2, type === "displayed"),
    () => {
    }
  );
  return whole;
}

// src/markdown/dom.ts
var ALIGNED = { left: "start", center: "center", right: "end" };
function draw(block, outline) {
  switch (block.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      outline.level = Math.min(6, block.depth + 1, outline.level + 1);
      return [blockOf(`h${outline.level}`, inlines(block))];
    case "paragraph":
      return [blockOf("p", inlines(block))];
    case "footnote":
      return [blockOf("p", [inline({ ...block, type: "mark" }), ...inlines(block)])];
    case "text":
      return "tokens" in block && block.tokens ? inlines(block) : [text(block)];
    case "code":
      return [code(block, outline)];
    case "blockquote":
      return [blockOf("blockquote", blocks(block.tokens, outline))];
    case "list":
      return [list(block, outline)];
    case "table":
      return [table(block)];
    case "hr":
      return [document.createElement("hr")];
    case "html":
      return [blockOf("p", [document.createTextNode(block.raw.trimEnd())])];
    default:
      return [inline(block)];
  }
}
function blocks(all, outline) {
  return all.flatMap((block) => draw(block, outline));
}
function inlines(block) {
  const tokens = "tokens" in block ? block.tokens : void 0;
  return tokens ? tokens.map(inline) : [text(block)];
}
function inline(token) {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return element(token.type, inlines(token));
    case "codespan":
      return element("code", [document.createTextNode(token.text)]);
    case "mark":
      return element("sup", [document.createTextNode(token.label)]);
    case "br":
      return document.createElement("br");
    case "link":
      return link(token);
    case "image":
      return image(token);
    case "formula":
    case "displayed":
      return formula(token);
    case "checkbox":
      return checkbox(token.checked);
    case "escape":
    case "text":
      return "tokens" in token && token.tokens ? fragment(inlines(token)) : text(token);
    case "html":
      return document.createTextNode(token.raw);
    default:
      return text(token);
  }
}
function link(token) {
  const address = safeAddress(token.href);
  const content = inlines(token);
  if (!address) return fragment(content);
  const anchor = element("a", content);
  const host = hostBehind(anchor.textContent ?? "", address);
  if (host) anchor.append(` (${host})`);
  anchor.href = address;
  anchor.title = address;
  anchor.rel = "noopener noreferrer nofollow";
  anchor.target = "_blank";
  return anchor;
}
function image(token) {
  const own = safeImage(token.href);
  if (own) {
    const image2 = document.createElement("img");
    image2.src = own;
    image2.alt = token.text;
    return image2;
  }
  const address = safeAddress(token.href);
  if (!address) return document.createTextNode(token.text || strings.peek().chat.image);
  const host = new URL(address).host;
  const label = [strings.peek().chat.externalImage(host), token.text].filter(Boolean).join(": ");
  const anchor = element("a", [document.createTextNode(label)]);
  anchor.className = "chip";
  anchor.href = address;
  anchor.title = address;
  anchor.rel = "noopener noreferrer nofollow";
  anchor.target = "_blank";
  return anchor;
}
function code({ text: content, lang }, { isOpen }) {
  const figure = element("figure", []);
  figure.className = "code";
  const language2 = lang?.split(/\s/)[0] ?? "";
  const header = element("figcaption", [document.createTextNode(language2), copyButton(() => content)]);
  const inside = element("code", [document.createTextNode(content)]);
  if (!isOpen) colour(inside, language2);
  const pre = element("pre", [inside]);
  pre.tabIndex = 0;
  figure.append(header, pre);
  return figure;
}
function list({ ordered, start, items }, outline) {
  const drawn2 = items.map((item) => element("li", blocks(item.tokens, outline)));
  const whole = blockOf(ordered ? "ol" : "ul", drawn2);
  if (whole instanceof HTMLOListElement && typeof start === "number") whole.start = start;
  return whole;
}
function checkbox(checked) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = checked;
  box.disabled = true;
  box.ariaLabel = strings.peek().tasks[checked ? "done" : "open"];
  return box;
}
function table({ header, rows, align }) {
  const row = (name, cells) => element("tr", cells.map((cell, column) => {
    const drawn2 = element(name, cell.tokens.map(inline));
    const side = align[column];
    if (side) drawn2.style.textAlign = ALIGNED[side] ?? "";
    return drawn2;
  }));
  const whole = element("table", [
    element("thead", [row("th", header)]),
    element("tbody", rows.map((cells) => row("td", cells)))
  ]);
  const scroller = blockOf("div", [whole]);
  scroller.className = "table";
  scroller.tabIndex = 0;
  return scroller;
}
function text(token) {
  const content = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return document.createTextNode(entities(content));
}
var ENTITIES = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " "
};
function entities(content) {
  return content.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (whole, name) => ENTITIES[name] ?? whole);
}
function element(name, content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
function blockOf(name, content) {
  const made = element(name, content);
  made.dir = "auto";
  return made;
}
function fragment(content) {
  const made = document.createDocumentFragment();
  made.append(...content);
  return made;
}

// src/markdown/lexer.ts
import { Lexer } from "./vendor.js";

// src/markdown/footnote.ts
var readFootnote = function(source) {
  const [raw, label, text2 = ""] = /^ {0,3}\[\^([\p{L}\p{N}_]+)\]:[ \t]*(.*(?:\n[ \t]+\S.*)*)\n?/u.exec(source) ?? [];
  return raw ? { type: "footnote", raw, label, tokens: this.lexer.inline(text2) } : void 0;
};
var readMark = (source) => {
  const [raw, label] = /^\[\^([\p{L}\p{N}_]+)\](?!\()/u.exec(source) ?? [];
  return raw ? { type: "mark", raw, label } : void 0;
};

// src/markdown/formula.ts
var DISPLAYED = /^ {0,3}(?:\$\$(?!\$)((?:\\[^]|\$(?!\$)|[^\\$])+)\$\$(?!\$)|\\\[((?:\\[^()[\]]|[^\\])+)\\\])/;
var IN_LINE = /^(?:\$(?![\s$])((?:\\[^]|[^\\$])+)(?<!\s)\$(?![\d$])|\\\(((?:\\[^()[\]]|[^\\])+)\\\))/;
var readFormulaLines = function(source) {
  const [lines] = /^ {0,3}(?:\$\$(?!\$)|\\\[)[^]*?(?=\n[ \t]*(?:\n|```|~~~)|$)/.exec(source) ?? [];
  if (!lines) return void 0;
  const formula2 = read(lines, DISPLAYED);
  if (formula2 || !lines.includes("\n")) return formula2;
  return { type: "paragraph", raw: lines, text: lines, tokens: this.lexer.inline(lines) };
};
var readFormula = (source, before) => {
  if (!/^(?:\$|\\[([])/.test(source)) return void 0;
  return read(source, DISPLAYED) ?? (/\w$/.test(before.at(-1)?.raw ?? "") ? void 0 : read(source, IN_LINE));
};
function read(source, pattern) {
  const [raw, dollars, brackets] = pattern.exec(source) ?? [];
  const text2 = (dollars ?? brackets)?.trim();
  if (!raw || !text2 || /\n[ \t]*\n/.test(text2)) return void 0;
  return { type: pattern === DISPLAYED ? "displayed" : "formula", raw, text: text2 };
}

// src/markdown/extensions.ts
var EXTENSIONS = {
  renderers: {},
  childTokens: {},
  block: [readFormulaLines, readFootnote],
  inline: [readFormula, readMark],
  startBlock: [(source) => /^.*\n(?:.+\n)*?(?= {0,3}(?:\$\$(?!\$)|\\\[))/.exec(source)?.[0].length],
  startInline: [(source) => source.indexOf("$")]
};

// src/markdown/limits.ts
var SECTION = /^(`{3,}(?=[^`\n]*$)|~{3,})[^]*?(?:^ {0,3}\1[`~]*[ \t]*$\n?|$(?![^]))|[^]+?(?:^[ \t]*\n|(?=^(?:`{3,}[^`\n]*$|~{3,}))|$(?![^]))/gm;
var LONGEST = 64 * 1024;
var DEEPEST = 32;
var MOST_LOOKS = 2e6;
var LINE = 400;
var LONG_NAME = /[^\s@]{256}@/;
function sectionsOf(text2) {
  const sections = [];
  let looks = 0;
  for (const [raw, fence] of text2.matchAll(SECTION)) {
    const added = looksAt(raw, fence !== void 0);
    const isPlain = looks + added > MOST_LOOKS;
    const kind = isPlain ? "plain" : fence ? "code" : "text";
    const last2 = sections.at(-1);
    if (!isPlain) looks += added;
    if (last2?.kind === kind && !fence) last2.raw += raw;
    else sections.push({ raw, kind });
  }
  return sections;
}
function looksAt(section, isCode) {
  if (section.length > LONGEST) return Infinity;
  if (isCode) return 0;
  if (LONG_NAME.test(section) || isTooDeep(section)) return Infinity;
  const own = count(section, /\n/g) * LINE + count(section, /[*_~`[\]<!\\]/g) ** 2 / 8;
  const emphasis = (part) => count(part, /[*~](?=[^\s*~])|(?<!\w)_(?=\S)/g) * part.length;
  return section.split(/^(?= {0,3}[-+*] )/m).reduce((looks, part) => looks + emphasis(part), own);
}
function isTooDeep(text2) {
  const beginnings = text2.match(/^[\t >*+\-\d.)]{32,}/gm) ?? [];
  return beginnings.some((line) => /\S/.test(line) && count(line, />|\t| {2}|[*+-](?= )|\d+[.)](?= )/g) > DEEPEST);
}
function count(text2, pattern) {
  return text2.match(pattern)?.length ?? 0;
}

// src/markdown/lexer.ts
var PLAIN = "plain";
var DEEPEST2 = 64;
var LONG_WORD = /\S{4096}/;
function read2(text2) {
  try {
    const lexer = new Lexer({ gfm: true, extensions: EXTENSIONS });
    for (const { raw, kind } of sectionsOf(text2)) {
      if (kind === "plain") lexer.tokens.push(plain(raw));
      else lexer.blockTokens(raw, lexer.tokens);
    }
    for (const { src, tokens } of lexer.inlineQueue) lexer.inlineTokens(src, tokens);
    return lexer.tokens;
  } catch {
    return [plain(text2)];
  }
}
function plain(raw) {
  return { type: PLAIN, raw, text: raw };
}
function sizeOf(block, depth = 0) {
  const { type, raw, tokens = [], items = [], header = [], rows = [] } = block;
  if (type === PLAIN || depth > DEEPEST2) return Infinity;
  const inside = [...tokens, ...items, ...[header, ...rows].flatMap((cells) => cells.flatMap((cell) => cell.tokens))];
  if (inside.length === 0 && type !== "image" && type !== "code" && LONG_WORD.test(raw)) return Infinity;
  return inside.reduce((size, token) => size + sizeOf(token, depth + 1), 1);
}

// src/markdown/pieces.ts
function pieces(text2) {
  return text2.match(/[^]{1,4096}$|[^]{0,4095}\n|[^]{0,4095} |[^]{1,4096}/gu) ?? [text2];
}
var PlainText = class {
  element = document.createElement("div");
  #last;
  /** The whole text. */
  text = "";
  constructor(text2) {
    this.element.className = "pieces";
    this.#last = this.#add("");
    this.append(text2);
  }
  append(added) {
    this.text += added;
    const [first = "", ...others] = pieces(this.#last.data + added);
    if (others.length === 0) return this.#last.appendData(added);
    this.#last.data = first;
    for (const piece of others) this.#last = this.#add(piece);
  }
  #add(piece) {
    const element2 = document.createElement("div");
    element2.className = "plain";
    const text2 = document.createTextNode(piece);
    element2.append(text2);
    this.element.append(element2);
    return text2;
  }
};

// src/markdown/stream.ts
var PLAIN_FROM = 8 * 1024;
var MOST_TOKENS = 6e3;
var MarkdownStream = class {
  /** Holds what is drawn of the text after `#done`. */
  #open;
  #root;
  #text = "";
  #hasEnded = false;
  /** The text that is drawn for good. */
  #done = "";
  /** The headings in it, and the number of its tokens. */
  #outline = { level: 1 };
  #tokens = 0;
  /** The open block as plain text, if it is too long to be read again and again. */
  #plain;
  /** Whether a definition has been read, which may give links before it their addresses. */
  #hasDefinitions = false;
  constructor(root2) {
    this.#root = root2;
    this.#open = document.createElement("div");
    this.#open.className = "open";
    root2.replaceChildren(this.#open);
  }
  /**
   * Draws the whole text, which begins with what was drawn before unless it was withdrawn. A text that goes on after its
   * end is another one, although it may begin with the same words.
   */
  update(written, ended) {
    const text2 = written.replace(/\r\n?/g, "\n");
    if (!text2.startsWith(this.#done) || this.#hasEnded && text2 !== this.#text) this.#reset();
    this.#hasEnded = ended;
    const rest = text2.slice(this.#done.length);
    this.#text = text2;
    if (this.#tokens > MOST_TOKENS || !ended && this.#grows(rest)) return this.#drawPlain(rest);
    const blocks2 = read2(rest);
    this.#hasDefinitions ||= blocks2.some((block) => block.type === "def");
    if (ended && this.#hasDefinitions && this.#done) {
      this.#reset();
      const all = read2(text2);
      return this.#settle(all, all.length);
    }
    this.#settle(blocks2, ended ? blocks2.length : complete(blocks2));
  }
  /** Reports whether there is a long block, and the addition does not complete it. */
  #grows(rest) {
    const shown = this.#plain?.text;
    if (!shown || !rest.startsWith(shown)) return false;
    return !/\n\s*\n|\n\s*(?:```|~~~)/.test(rest.slice(shown.length - 4));
  }
  /** Draws the first blocks for good, and the others as the open end. */
  #settle(blocks2, settled) {
    const nodes = [];
    let done = 0;
    for (; done < settled && this.#tokens <= MOST_TOKENS; done += 1) {
      const size = sizeOf(blocks2[done]);
      if (size <= MOST_TOKENS) this.#tokens += size;
      nodes.push(...drawn(blocks2[done], this.#outline));
    }
    const open = blocks2.slice(done);
    const rest = rawOf(open);
    this.#open.before(...nodes);
    this.#done = this.#text.slice(0, this.#text.length - rest.length);
    if (rest.length >= PLAIN_FROM || this.#tokens > MOST_TOKENS) return this.#drawPlain(rest);
    this.#plain = void 0;
    const outline = { ...this.#outline, isOpen: true };
    this.#open.replaceChildren(...open.flatMap((block) => drawn(block, outline)));
  }
  #drawPlain(rest) {
    if (this.#plain && rest.startsWith(this.#plain.text)) {
      return this.#plain.append(rest.slice(this.#plain.text.length));
    }
    this.#plain = new PlainText(rest);
    this.#open.replaceChildren(this.#plain.element);
  }
  #reset() {
    this.#open.replaceChildren();
    this.#root.replaceChildren(this.#open);
    this.#done = "";
    this.#outline = { level: 1 };
    this.#tokens = 0;
    this.#plain = void 0;
    this.#hasDefinitions = false;
  }
};
function drawn(block, outline) {
  return sizeOf(block) > MOST_TOKENS ? [new PlainText(block.raw).element] : draw(block, outline);
}
function rawOf(blocks2) {
  return blocks2.map((block) => block.raw).join("");
}
function complete(blocks2) {
  const [last2, before] = blocks2.flatMap(({ type }, index) => type === "space" ? [] : [index]).reverse();
  if (last2 === void 0) return 0;
  return blocks2[last2]?.raw.includes("\n") ? last2 : before ?? 0;
}

// src/markdown/Markdown.tsx
import { jsx } from "./vendor.js";
function Markdown({ text: text2, ended }) {
  const root2 = useRef(null);
  const stream = useRef(null);
  useLayoutEffect(() => {
    if (!root2.current) return;
    stream.current ??= new MarkdownStream(root2.current);
    stream.current.update(text2, ended);
  }, [text2, ended]);
  return /* @__PURE__ */ jsx("div", { class: "markdown", dir: "auto", ref: root2 });
}

// src/chat/Later.tsx
import { useEffect, useState } from "./vendor.js";

// src/state/feed.ts
import { signal as signal4 } from "./vendor.js";

// src/net/error.ts
var ApiError = class _ApiError extends Error {
  /** The status of the response; 0 if there was none. */
  status;
  code;
  field;
  /** The seconds after which the request may be sent again. */
  retryAfter;
  constructor(status, code2, message, field, retryAfter) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code2;
    this.field = field;
    this.retryAfter = retryAfter;
  }
  /** Creates the error of a request that got no response. */
  static unreachable(cause) {
    return new _ApiError(0, "unreachable", messageOf(cause));
  }
  /** Creates the error that a response describes. */
  static async of(response) {
    const body = await response.json().catch(() => void 0);
    const error = isRecord(body) && isRecord(body.error) ? body.error : {};
    const text2 = (value) => typeof value === "string" ? value : void 0;
    const seconds = Number(response.headers.get("retry-after") ?? NaN);
    return new _ApiError(
      response.status,
      text2(error.code) ?? "unknown",
      text2(error.message) ?? `${response.status} ${response.statusText}`.trim(),
      text2(error.param),
      Number.isFinite(seconds) ? seconds : void 0
    );
  }
};
function isRecord(value) {
  return typeof value === "object" && value !== null;
}
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// src/net/client.ts
var Client = class {
  #options;
  constructor(options = {}) {
    this.#options = options;
  }
  page() {
    return this.#json("GET", "page.json");
  }
  sessions(options = {}) {
    const { query: q, cursor, limit, archived } = options;
    return this.#json("GET", `api/v1/sessions${query({ q, cursor, limit, archived: archived?.toString() })}`);
  }
  change(session, changed2) {
    return this.#json("PATCH", `api/v1/sessions/${session}`, changed2);
  }
  /** Deletes a session. With `keepalive`, the request is sent even if the page is closed meanwhile. */
  async remove(session, options = {}) {
    await this.#send("DELETE", `api/v1/sessions/${session}`, void 0, {}, void 0, options.keepalive);
  }
  /** Starts a turn that has earlier messages summarised. */
  compact(session) {
    return this.#json("POST", `api/v1/sessions/${session}/compact`);
  }
  async exportSession(session, format) {
    const response = await this.#send("GET", `api/v1/sessions/${session}/export?format=${format}`);
    return response.blob();
  }
  /** Creates a session from an exported one. */
  importSession(file) {
    return this.#json("POST", "api/v1/sessions/import", file);
  }
  /** Stores a file, which the next message may name. */
  async upload(name, content, signal16) {
    const response = await this.#send("POST", `api/v1/files${query({ name })}`, content, {}, signal16);
    return await response.json();
  }
  agents() {
    return this.all("api/v1/agents");
  }
  models() {
    return this.all("api/v1/models");
  }
  me() {
    return this.#json("GET", "api/v1/me");
  }
  /** Returns the last turns of a session, or those before, after or around one, which its id or its number names. */
  turns(session, options = {}) {
    return this.#json("GET", `api/v1/sessions/${session}/turns${query({ ...options })}`);
  }
  /** Returns the turns of a session that have all words, the newest first. */
  searchTurns(session, words, cursor) {
    return this.#json("GET", `api/v1/sessions/${session}/search${query({ q: words, cursor })}`);
  }
  /** Starts a turn whose calls may wait for a person. */
  start({ key, ...turn }) {
    return this.#json("POST", "api/v1/turns", { ...turn, interact: true }, { "idempotency-key": key });
  }
  async cancel(turn) {
    await this.#send("POST", `api/v1/turns/${turn}/cancel`);
  }
  interactions() {
    return this.all("api/v1/interactions");
  }
  resolve(interaction, decision) {
    return this.#json("POST", `api/v1/interactions/${interaction}`, decision);
  }
  providers() {
    return this.all("api/v1/providers");
  }
  /** Returns all pages of a list as one. */
  async all(path, filter = {}) {
    const { data, next: next2 } = await this.#json("GET", path + query({ ...filter, limit: 200 }));
    const rest = next2 ? await this.all(path, { ...filter, cursor: next2 }) : { data: [] };
    return { data: [...data, ...rest.data], next: null };
  }
  /** Sends a request for which there is no method here, and returns the response. Errors are thrown. */
  send(method, path, body, signal16, headers) {
    return this.#send(method, path, body, headers, signal16);
  }
  async #json(method, path, body, headers) {
    const response = await this.#send(method, path, body, headers);
    return await response.json();
  }
  async #send(method, path, body, headers = {}, signal16, keepalive) {
    const credential2 = path.startsWith("api/") ? this.#options.credential?.() : void 0;
    const all = { ...headers };
    if (credential2) all.authorization = `Bearer ${credential2}`;
    const init = { method, headers: all, cache: "no-store", credentials: "same-origin" };
    if (signal16) init.signal = signal16;
    if (keepalive) init.keepalive = true;
    if (body instanceof Blob) {
      init.body = body;
    } else if (body !== void 0) {
      all["content-type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    const response = await fetch((this.#options.base ?? "") + path, init).catch((error2) => {
      throw ApiError.unreachable(error2);
    });
    if (response.ok) return response;
    const error = await ApiError.of(response);
    if (error.status === 401) this.#options.refused?.(error);
    throw error;
  }
};
function query(values) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== void 0 && value !== "") parameters.set(name, String(value));
  }
  const text2 = parameters.toString();
  return text2 && `?${text2}`;
}

// src/net/fold.ts
function emptyTurn(turn, number) {
  return { turn_id: turn, number, seq: 0, agent: "", input: [], steps: [], parts: [], tools: [], remarks: [] };
}
function foldTurn(view, name, event) {
  if (name === "retracted") return retract({ ...view, seq: event.seq }, event);
  if (event.seq <= view.seq) return view;
  return apply({ ...view, seq: event.seq }, name, event);
}
function apply(view, name, event) {
  const since = event.seq;
  const at = event.at;
  switch (name) {
    case "turn.started": {
      const { agent = "", input = [], trace_id } = event;
      return { ...view, agent, input, trace_id, accepted_at: at, waiting_since: at };
    }
    case "step.started": {
      const { waiting_since, ...rest } = view;
      const first_ms = between(waiting_since, at);
      const { provider, model } = event;
      const step = { step: event.step ?? 0, provider, model, began_at: at, first_ms, since };
      return { ...rest, steps: [...view.steps, step] };
    }
    case "part.started": {
      const type = event.type;
      const part = { part_id: event.part_id ?? "", type, text: "", ended: false, since };
      if (event.name !== void 0) part.name = event.name;
      return { ...view, parts: [...view.parts, part] };
    }
    case "part.delta":
      return withPart(view, event, (part) => ({ ...part, text: part.text + (event.delta ?? "") }));
    case "part.ended":
      return withPart(view, event, (part) => ({ ...part, ended: true }));
    case "step.ended": {
      const index = view.steps.findLastIndex((step2) => step2.step === event.step);
      const step = view.steps[index];
      if (!step) return { ...view, waiting_since: at };
      const { finish_reason, usage, cost, prices, attempts } = event;
      const ended = { ...step, finish_reason, usage, cost, prices, attempts, ms: between(step.began_at, at) };
      return { ...view, steps: view.steps.with(index, ended), waiting_since: at };
    }
    case "tool.started":
      return withTool(view, event, (tool) => ({ ...tool, name: event.name ?? "", arguments: event.arguments ?? "" }));
    case "tool.finished": {
      const error = event.error !== void 0 && { error: event.error };
      const images = event.images !== void 0 && { images: event.images };
      const result = { ok: event.ok, content: event.content, ms: event.ms, ...images, ...error };
      const changed2 = withTool(view, event, (tool) => ({ ...tool, name: event.name ?? "", ...result }));
      return { ...changed2, waiting_since: at };
    }
    case "data": {
      const data = { kind: event.type ?? "", payload: event.payload };
      return withTool(view, event, (tool) => ({ ...tool, data }));
    }
    case "interaction.requested": {
      const request = payload(event);
      return { ...view, waits: [...view.waits ?? [], { ...request, since }] };
    }
    case "interaction.resolved": {
      const { id, ...decided } = payload(event);
      return withWait(view, id, decided);
    }
    case "steered": {
      const last2 = view.tools.at(-1);
      const after_step = last2 ? position(last2.call_id)[0] : 0;
      const steered = { steering_turn_id: event.steering_turn_id, input: event.input ?? [], after_step, since };
      return { ...view, steered: [...view.steered ?? [], steered] };
    }
    case "notice":
      return remark(view, event.code, event.text);
    case "error":
      return remark(view, event.code, event.message, { error: true, ...event.attempts && { attempts: event.attempts } });
    case "compacted": {
      const waiting2 = { ...view, waiting_since: at };
      if (event.failure !== void 0) return waiting2;
      return remark(waiting2, "compacted", `a summary takes the place of ${event.messages} earlier messages`);
    }
    case "turn.ended": {
      const { waiting_since: _, ...rest } = view;
      const ended = { ...rest, ended_at: at, status: event.status ?? "completed" };
      if (event.steps) Object.assign(ended, { usage: event.usage, cost: event.cost });
      if (event.steered_into !== void 0) ended.steered_into = event.steered_into;
      return ended;
    }
    default:
      return view;
  }
}
function retract(view, event) {
  const from = event.from_seq ?? 0;
  const dead = view.steps.find((step) => step.since >= from);
  const kept = (list2) => list2.filter((item) => item.since < from);
  const retracted = { ...view, steps: kept(view.steps), parts: kept(view.parts), tools: kept(view.tools) };
  const remarks = kept(view.remarks);
  const waited = dead?.began_at && new Date(Date.parse(dead.began_at) - (dead.first_ms ?? 0)).toISOString();
  return {
    ...retracted,
    remarks,
    ...view.steered && { steered: some(kept(view.steered)) },
    ...view.waits && { waits: some(kept(view.waits)) },
    ...waited && { waiting_since: waited }
  };
}
function payload(event) {
  const { turn_id: _, seq: __, at: ___, session_id: ____, cursor: _____, ...fields } = event;
  return fields;
}
function some(list2) {
  return list2.length > 0 ? list2 : void 0;
}
function withPart(view, event, change) {
  const index = view.parts.findLastIndex((part2) => part2.part_id === event.part_id);
  const part = view.parts[index];
  return part ? { ...view, parts: view.parts.with(index, change(part)) } : view;
}
function withWait(view, id, decided) {
  const waits = view.waits ?? [];
  const index = waits.findLastIndex((wait2) => wait2.id === id);
  const wait = waits[index];
  return wait ? { ...view, waits: waits.with(index, { ...wait, decided }) } : view;
}
function withTool(view, event, change) {
  const call_id = event.call_id ?? "";
  const index = view.tools.findIndex((tool2) => tool2.call_id === call_id);
  const known2 = view.tools[index];
  if (known2) return { ...view, tools: view.tools.with(index, change(known2)) };
  const written = writtenArguments(view, call_id);
  const tool = change({ call_id, name: "", arguments: written, since: event.seq });
  const place2 = view.tools.findIndex((other) => isBefore(call_id, other.call_id));
  return { ...view, tools: view.tools.toSpliced(place2 < 0 ? view.tools.length : place2, 0, tool) };
}
function writtenArguments(view, call) {
  const [step, ordinal] = position(call);
  const calls = view.parts.filter((part) => part.type === "tool_call" && part.part_id.startsWith(`${step}.`));
  return calls[ordinal]?.text ?? "";
}
function position(call) {
  const [step, ordinal] = call.split(".").slice(-2).map(Number);
  return [step ?? 0, ordinal ?? 0];
}
function isBefore(call, other) {
  const [step, ordinal] = position(call);
  const [otherStep, otherOrdinal] = position(other);
  return step < otherStep || step === otherStep && ordinal < otherOrdinal;
}
function remark(view, code2 = "", text2 = "", of = {}) {
  return { ...view, remarks: [...view.remarks, { code: code2, text: text2, ...of, since: view.seq }] };
}
function between(from, to) {
  return from && to ? Math.max(0, Date.parse(to) - Date.parse(from)) : void 0;
}

// src/state/drafts.ts
function loadDraft(session) {
  const text2 = load(nameOf2(session));
  try {
    const draft = text2 && JSON.parse(text2);
    if (typeof draft === "object" && draft !== null && "text" in draft && typeof draft.text === "string") {
      const { text: text3, hasFiles, sent } = draft;
      const isWhole = typeof sent?.key === "string" && typeof sent.request?.message === "string";
      return { text: text3, ...hasFiles === true && { hasFiles }, ...isWhole && { sent } };
    }
  } catch {
  }
  return { text: "" };
}
function saveDraft(session, draft) {
  save(nameOf2(session), draft.text === "" && !draft.hasFiles ? void 0 : JSON.stringify(draft));
}
function prepare(draft, request) {
  const identify = ({ on_busy: _, after: __, ...rest }) => JSON.stringify(rest);
  const { sent } = draft;
  return sent && identify(sent.request) === identify(request) ? sent : { key: newKey(), request };
}
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function nameOf2(session) {
  return `turnkit.draft.${session ?? "new"}`;
}

// src/state/server.ts
import { batch, signal as signal3 } from "./vendor.js";
var KEY2 = "turnkit.credential";
var access = signal3("starting");
var problem = signal3(void 0);
var summary = signal3(void 0);
var isOutdated = signal3(false);
var hasCredential = signal3(false);
var credential = load(KEY2, "sessionStorage") ?? load(KEY2);
var tabs = typeof BroadcastChannel === "undefined" ? void 0 : new BroadcastChannel("turnkit");
var currentCredential = () => credential;
var client = new Client({
  credential: currentCredential,
  refused: (error) => refuse(error)
});
function refuse(error) {
  save(KEY2, void 0, "sessionStorage");
  batch(() => {
    problem.value = credential === void 0 ? void 0 : error;
    access.value = "signed_out";
  });
}
var PAUSE_MS = 3e3;
async function learn() {
  summary.value = await client.page();
}
async function connect() {
  try {
    await Promise.all([learn(), client.sessions({ limit: 1 })]);
    batch(() => {
      hasCredential.value = credential !== void 0;
      problem.value = void 0;
      access.value = "open";
    });
  } catch (error) {
    const { status, code: code2, retryAfter = 0 } = error;
    if (status === 401) return refuse(error);
    batch(() => {
      problem.value = error;
      access.value = code2 === "forbidden" ? "signed_out" : "unreachable";
    });
    if (code2 === "forbidden") return;
    setTimeout(() => access.value === "unreachable" && void connect(), Math.max(PAUSE_MS, retryAfter * 1e3));
  }
}
async function signIn(entered, stay) {
  credential = entered.trim();
  problem.value = void 0;
  await connect();
  if (access.value !== "open") return;
  save(KEY2, credential, "sessionStorage");
  save(KEY2, stay ? credential : void 0);
}
function signOut() {
  tabs?.postMessage("signed out");
  leave();
}
function leave() {
  access.value = "signed_out";
  credential = void 0;
  forgetAll();
  location.hash = "";
  location.reload();
}
tabs?.addEventListener("message", leave);
async function checkBuild() {
  const page = await client.page().catch(() => void 0);
  if (page) isOutdated.value = page.build !== "69521f5968fd2df6";
}

// src/state/feed.ts
var HIDDEN_MS = 3e4;
var CRASHED_MS = 1e3;
var connection = signal4("connecting");
var failures = signal4(0);
var subscriptions = /* @__PURE__ */ new Map();
var last = 0;
var port;
var rejoining;
var isAlone = false;
var wasOpen = false;
var passChanges;
function followSession(session, subscriber) {
  const subscription = ++last;
  subscriptions.set(subscription, { ...subscriber, session });
  subscribe(subscription);
  return () => {
    subscriptions.delete(subscription);
    send({ type: "unfollow", subscription });
  };
}
function openFeed(changes) {
  const closing = new AbortController();
  const { signal: signal16 } = closing;
  let timer;
  passChanges = changes;
  const lock = hold(signal16);
  void join(signal16, lock);
  addEventListener("online", wake, { signal: signal16 });
  addEventListener("pagehide", leave2, { signal: signal16 });
  addEventListener("pageshow", ({ persisted }) => persisted ? void join(signal16, lock) : wake(), { signal: signal16 });
  const look = () => {
    clearTimeout(timer);
    if (!document.hidden) wake();
    else if (isAlone) timer = setTimeout(sleep, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", look, { signal: signal16 });
  return () => {
    closing.abort();
    clearTimeout(timer);
    leave2();
  };
}
function wake() {
  send({ type: "wake" });
}
function sleep() {
  connection.value = "connecting";
  send({ type: "sleep" });
}
function leave2() {
  connection.value = "connecting";
  send({ type: "leave" });
  port?.close();
  port = void 0;
}
function send(message) {
  port?.postMessage(message);
}
function subscribe(subscription) {
  const { session, cursor: after } = subscriptions.get(subscription);
  send({ type: "follow", subscription, session, after });
}
async function join(signal16, held) {
  clearTimeout(rejoining);
  const lock = await held;
  const again = (pause) => {
    clearTimeout(rejoining);
    rejoining = setTimeout(() => signal16.aborted || void join(signal16, held), pause);
  };
  const joined = (isAlone ? void 0 : shared(() => again(0))) ?? await alone().catch(() => void 0);
  if (signal16.aborted) return;
  if (!joined) {
    isAlone = false;
    failures.value += 1;
    return again(CRASHED_MS);
  }
  port = joined;
  port.onmessage = ({ data }) => receive(data);
  port.addEventListener("close", () => port === joined && again(CRASHED_MS));
  send({ type: "join", build: "69521f5968fd2df6", credential: currentCredential(), lock });
  for (const subscription of subscriptions.keys()) subscribe(subscription);
}
function shared(failed) {
  try {
    const worker = new SharedWorker(workerAddress, `turnkit ${"69521f5968fd2df6"}`);
    worker.onerror = () => {
      isAlone = true;
      if (port === worker.port) port = void 0;
      failed();
    };
    return worker.port;
  } catch {
    return void 0;
  }
}
async function alone() {
  isAlone = true;
  const { port1, port2 } = new MessageChannel();
  await import("./worker.js");
  dispatchEvent(new MessageEvent("connect", { ports: [port2] }));
  return port1;
}
function hold(signal16) {
  const name = `turnkit ${newKey()}`;
  return new Promise((held) => {
    if (!navigator.locks) return held(void 0);
    const until = new Promise((released) => signal16.addEventListener("abort", released));
    navigator.locks.request(name, () => {
      held(name);
      return until;
    }).catch(() => held(void 0));
  });
}
function receive(message) {
  const subscription = "subscription" in message ? subscriptions.get(message.subscription) : void 0;
  switch (message.type) {
    case "connection":
      if (message.state === "open" && connection.peek() !== "open" && wasOpen) void checkBuild();
      wasOpen ||= message.state === "open";
      connection.value = message.state;
      failures.value = message.failures;
      return;
    case "changes":
      return passChanges(message.events);
    case "events":
      if (!subscription) return;
      subscription.cursor = message.events.findLast(({ cursor }) => cursor)?.cursor ?? subscription.cursor;
      return subscription.events(message.events);
    case "removed":
      return subscription?.ended(new ApiError(404, "not_found", ""));
    case "refused": {
      const error = new ApiError(message.status, message.code, message.message);
      if (error.status === 401) refuse(error);
      else for (const each of subscriptions.values()) each.ended(error);
      return;
    }
    case "outdated":
      isOutdated.value = true;
  }
}

// src/chat/Later.tsx
import { Fragment, jsx as jsx2, jsxs } from "./vendor.js";
function ToolCalls(props) {
  useCards();
  const Cards = cards.value?.ToolCalls;
  if (Cards) return /* @__PURE__ */ jsx2(Cards, { ...props });
  return /* @__PURE__ */ jsx2(Fragment, { children: props.calls.map((call) => /* @__PURE__ */ jsxs("p", { class: "call", children: [
    /* @__PURE__ */ jsx2("span", { class: "tool-name", children: visible(call.tool?.name || call.part.name || "") }),
    /* @__PURE__ */ jsx2("span", { class: "tool-state", children: strings.value.tool[stateOf(props.conversation, call, !!props.view.status)] })
  ] }, call.id)) });
}
function Attachments(props) {
  useCards();
  const Cards = cards.value?.Attachments;
  if (Cards) return /* @__PURE__ */ jsx2(Cards, { ...props });
  return /* @__PURE__ */ jsx2(Fragment, { children: props.parts.map((part, index) => /* @__PURE__ */ jsx2("span", { class: "chip", children: visible(("source" in part ? part.source : "name" in part && part.name) || strings.value.chat.image) }, index)) });
}
function Approvals(props) {
  const Cards = cards.value?.Approvals;
  if (Cards) return /* @__PURE__ */ jsx2(Cards, { ...props });
  return /* @__PURE__ */ jsx2(Fragment, { children: props.pending.map(({ id, name }) => /* @__PURE__ */ jsx2(Unloaded, { name }, id)) });
}
function Unloaded({ name }) {
  const hasFailed = useCards();
  const { page } = strings.value;
  return /* @__PURE__ */ jsxs("div", { class: "approval", children: [
    /* @__PURE__ */ jsx2("p", { class: "tool-name", children: visible(name) }),
    /* @__PURE__ */ jsx2("p", { class: "remark", children: hasFailed ? page.notLoaded : page.loading }),
    hasFailed && /* @__PURE__ */ jsx2("button", { type: "button", onClick: () => location.reload(), children: page.reload })
  ] });
}
function useCards() {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => void loadCards().catch(() => setFailed(true)), [connection.value === "open"]);
  return hasFailed;
}

// src/chat/Reasoning.tsx
import { jsx as jsx3, jsxs as jsxs2 } from "./vendor.js";
function Reasoning({ text: text2, ended, children }) {
  if (text2 === "") return null;
  return /* @__PURE__ */ jsxs2("details", { class: "reasoning", children: [
    /* @__PURE__ */ jsxs2("summary", { children: [
      strings.value.chat.reasoning,
      !ended && /* @__PURE__ */ jsx3("span", { class: "dots", "aria-hidden": "true" })
    ] }),
    /* @__PURE__ */ jsx3("p", { class: "plain", dir: "auto", children: text2 }),
    children
  ] });
}

// src/chat/Turn.tsx
import { Fragment as Fragment2, jsx as jsx4, jsxs as jsxs3 } from "./vendor.js";
function Turn({ conversation, viewport, turn }) {
  const view = turn.value;
  const Later = more.value;
  if (view.steered_into || view.input.length === 0 && view.parts.length === 0 && view.remarks.length === 0) {
    return null;
  }
  return /* @__PURE__ */ jsxs3("article", { class: "turn", id: `t-${view.turn_id}`, "aria-label": formatTime(view.accepted_at), children: [
    /* @__PURE__ */ jsx4(UserMessage, { view, parts: view.input, children: Later && view.status && /* @__PURE__ */ jsx4(Later.EditMessage, { conversation, view }) }),
    /* @__PURE__ */ jsx4(TurnPieces, { conversation, view }),
    view.status && /* @__PURE__ */ jsx4("footer", { class: "turn-footer", children: Later && /* @__PURE__ */ jsx4(Later.TurnFooter, { conversation, viewport, view }) })
  ] });
}
function TurnPieces({ conversation, view }) {
  const Later = more.value;
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    piecesOf(view).map(({ key, piece }) => /* @__PURE__ */ jsx4(Piece, { conversation, view, piece }, key)),
    Later ? /* @__PURE__ */ jsx4(Later.Notices, { remarks: view.remarks }) : view.remarks.map(({ text: text2 }, index) => /* @__PURE__ */ jsx4("p", { children: text2 }, index))
  ] });
}
function piecesOf(view) {
  const ordinals = /* @__PURE__ */ new Map();
  let last2;
  const parts = view.parts.flatMap((part) => {
    const key = `part ${part.part_id}`;
    const step = Number.parseInt(part.part_id);
    if (part.type !== "tool_call") {
      last2 = void 0;
      return [{ key, step, piece: { kind: "part", part } }];
    }
    const ordinal = ordinals.get(step) ?? 0;
    ordinals.set(step, ordinal + 1);
    const id = `${view.turn_id}.${step}.${ordinal}`;
    const call = { id, part, tool: view.tools.find((tool) => tool.call_id === id) };
    if (last2?.step === step) {
      last2.calls.push(call);
      return [];
    }
    last2 = { step, calls: [call] };
    return [{ key, step, piece: { kind: "calls", calls: last2.calls } }];
  });
  const steered = (view.steered ?? []).map((steered2, index) => {
    return { key: `steered ${index}`, step: steered2.after_step, piece: { kind: "steered", steered: steered2 } };
  });
  return [...parts, ...steered].sort((a, b) => a.step - b.step);
}
function Piece({ conversation, view, piece }) {
  if (piece.kind === "steered") return /* @__PURE__ */ jsx4(UserMessage, { view, parts: piece.steered.input });
  if (piece.kind === "calls") return /* @__PURE__ */ jsx4(ToolCalls, { conversation, view, calls: piece.calls });
  const { part } = piece;
  const isOver = part.ended || view.status !== void 0;
  const { text: text2, rest } = textOf(view, part);
  switch (part.type) {
    case "text":
      return part.text === "" ? null : /* @__PURE__ */ jsxs3(Fragment2, { children: [
        /* @__PURE__ */ jsx4(Markdown, { text: text2, ended: isOver }, text2 === part.text ? 0 : 1),
        rest
      ] });
    case "reasoning":
      return /* @__PURE__ */ jsx4(Reasoning, { text: text2, ended: isOver, children: rest });
    case "image":
      return /* @__PURE__ */ jsx4(Attachments, { view, parts: [part] });
    case "provider_tool":
      return /* @__PURE__ */ jsx4("p", { class: "remark", children: visible(part.name ?? "") });
    default:
      return null;
  }
}
function textOf(view, part) {
  const Later = more.value;
  return {
    text: Later ? Later.textOfPart(view, part) : part.text,
    rest: Later && /* @__PURE__ */ jsx4(Later.Rest, { view, part })
  };
}
function UserMessage({ view, parts, children }) {
  if (parts.length === 0) return null;
  const files = parts.filter(({ type }) => /^(context|file|image)$/.test(type));
  return /* @__PURE__ */ jsxs3("div", { class: "user", role: "group", "aria-label": strings.value.chat.you, children: [
    parts.map(
      (part, index) => part.type === "text" ? /* @__PURE__ */ jsx4(UserText, { view, part }, index) : null
    ),
    files.length > 0 && /* @__PURE__ */ jsx4(Attachments, { view, parts: files }),
    children
  ] });
}
function UserText({ view, part }) {
  const { text: text2, rest } = textOf(view, part);
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    /* @__PURE__ */ jsx4("p", { class: "plain", dir: "auto", children: text2 }),
    rest
  ] });
}

// src/elements/Dialog.tsx
import { useLayoutEffect as useLayoutEffect2, useRef as useRef2 } from "./vendor.js";

// src/elements/Icon.tsx
import { jsx as jsx5 } from "./vendor.js";
var PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  send: "M12 19V5m-6 6 6-6 6 6",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  down: "M12 5v14m-6-6 6 6 6-6",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M14 4.5v5M10 14.5v5",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4",
  keyboard: "M3 7h18v10H3zM7 13.5h10M7 10.5h.01M10.3 10.5h.01M13.6 10.5h.01M17 10.5h.01"
};
function Icon({ name }) {
  return /* @__PURE__ */ jsx5(Drawing, { path: PATHS[name] });
}
function Drawing({ path }) {
  return /* @__PURE__ */ jsx5("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ jsx5("path", { d: path }) });
}

// src/elements/Dialog.tsx
import { jsx as jsx6, jsxs as jsxs4 } from "./vendor.js";
function Dialog({ title, close, children }) {
  const dialog2 = useRef2(null);
  useLayoutEffect2(() => {
    const focused = document.activeElement;
    dialog2.current?.showModal();
    return () => {
      if (focused instanceof HTMLElement) queueMicrotask(() => focused.focus());
    };
  }, []);
  const closeOutside = (event) => {
    if (event.target === dialog2.current) close();
  };
  return /* @__PURE__ */ jsx6("dialog", { ref: dialog2, "aria-label": title, onClose: close, onClick: closeOutside, children: /* @__PURE__ */ jsxs4("div", { class: "dialog", children: [
    /* @__PURE__ */ jsxs4("header", { children: [
      /* @__PURE__ */ jsx6("h2", { children: title }),
      /* @__PURE__ */ jsx6("button", { type: "button", class: "icon-button", "aria-label": strings.value.page.close, onClick: close, children: /* @__PURE__ */ jsx6(Icon, { name: "close" }) })
    ] }),
    children
  ] }) });
}

// src/elements/Highlighted.tsx
import { Fragment as Fragment3, jsx as jsx7 } from "./vendor.js";
function Highlighted({ text: text2, words }) {
  const terms = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const pieces2 = text2.replace(/:?-{2,}:?(?=\s*\|)|\|/g, " ").replace(/[*`]/g, "").split(/([\p{L}\p{N}]+)/u);
  return /* @__PURE__ */ jsx7(Fragment3, { children: pieces2.map((piece, index) => {
    const term = index % 2 === 1 && terms.find((term2) => piece.toLowerCase().startsWith(term2));
    return term ? /* @__PURE__ */ jsx7("mark", { children: piece }, index) : piece;
  }) });
}

// src/screens/Problem.tsx
import { jsx as jsx8 } from "./vendor.js";
function Problem() {
  const { page, signIn: signIn2 } = strings.value;
  const error = problem.value;
  if (!error) return null;
  const reasons = {
    unreachable: page.unreachable,
    unauthenticated: signIn2.refused,
    forbidden: signIn2.lacks
  };
  const code2 = error.status === 401 ? "unauthenticated" : error.code ?? "";
  return /* @__PURE__ */ jsx8("p", { class: "remark error", role: "alert", children: reasons[code2] ?? page.failed(messageOf(error)) });
}

// src/state/route.ts
import { signal as signal5 } from "./vendor.js";
var OPERATOR_SCREENS = ["turns", "usage", "providers", "tools", "keys", "recordings"];
var route = signal5(read3(location.hash));
addEventListener("hashchange", () => {
  route.value = read3(location.hash);
});
function read3(hash) {
  const [path = "", query2 = ""] = hash.replace(/^#?\/?/, "").split("?");
  const [first, session, second, turn] = path.split("/").map(decode);
  if (first === "s" && session) return { screen: "chat", session, ...second === "t" && turn && { turn } };
  if (first === "sessions" || first === "needs" || first === "settings") return { screen: first };
  const operators = OPERATOR_SCREENS.find((screen) => screen === first);
  if (operators) return { screen: operators, id: session ?? "", query: query2 };
  return { screen: "new" };
}
function addressOf(session) {
  return `#/s/${encodeURIComponent(session)}`;
}
function replaceWith(session) {
  history.replaceState(null, "", addressOf(session));
  route.value = read3(location.hash);
}
function decode(text2) {
  try {
    return decodeURIComponent(text2);
  } catch {
    return text2;
  }
}

// src/state/sessions.ts
import { batch as batch2, computed as computed2, signal as signal6 } from "./vendor.js";
var sessions = signal6([]);
var next = signal6(null);
var search = signal6("");
var TYPING_MS = 200;
var needs = signal6([]);
var waiting = computed2(() => new Set(needs.value.map((interaction) => interaction.session_id)));
var removing = signal6([]);
var listed = computed2(() => {
  return sessions.value.filter((session) => !session.archived && !removing.value.includes(session.id));
});
var changed = signal6(void 0);
var asked = 0;
var askedNeeds = 0;
var noted = /* @__PURE__ */ new Map();
var typing;
function searchFor(words) {
  if (words === search.value) return;
  search.value = words;
  clearTimeout(typing);
  typing = setTimeout(() => void loadSessions().catch(() => {
  }), TYPING_MS);
}
async function loadSessions() {
  asked += 1;
  const mine = asked;
  noted.clear();
  const found = await client.sessions({ query: search.value });
  if (mine !== asked) return;
  batch2(() => {
    next.value = found.next;
    sessions.value = found.data;
    for (const [id, session] of noted) place(id, session);
  });
}
async function loadMore2() {
  if (next.value === null) return;
  const mine = asked;
  const found = await client.sessions({ query: search.value, cursor: next.value });
  if (mine !== asked) return;
  const known2 = new Set(sessions.value.map((session) => session.id));
  sessions.value = [...sessions.value, ...found.data.filter((session) => !known2.has(session.id))];
  next.value = found.next;
}
async function loadNeeds() {
  askedNeeds += 1;
  const mine = askedNeeds;
  const found = await client.interactions();
  if (mine !== askedNeeds) return;
  needs.value = found.data.filter((interaction) => interaction.kind !== "child");
}
function noteSession(session) {
  noted.set(session.id, session);
  changed.value = session;
  place(session.id, session);
}
function forgetSession(session) {
  noted.set(session, void 0);
  place(session, void 0);
}
function place(id, session) {
  const known2 = sessions.value.find((known3) => known3.id === id);
  const others = sessions.value.filter((other) => other !== known2);
  if (!session) {
    if (known2) sessions.value = others;
  } else if (search.value) {
    if (known2) sessions.value = sessions.value.with(sessions.value.indexOf(known2), { ...known2, ...session });
  } else {
    const found = others.findIndex((other) => other.last_active < session.last_active && !other.pinned);
    if (found < 0 && !known2 && next.value !== null) return;
    sessions.value = others.toSpliced(found < 0 ? others.length : found, 0, session);
  }
}

// src/screens/SessionList.tsx
import { Fragment as Fragment4, jsx as jsx9, jsxs as jsxs5 } from "./vendor.js";
function SessionList({ chosen, actions }) {
  const words = strings.value.sessions;
  const sessions2 = listed.value;
  const groups = !search.value && more.value?.groupsOf(sessions2) || [{ name: "", members: sessions2 }];
  return /* @__PURE__ */ jsxs5("div", { class: "session-list", children: [
    /* @__PURE__ */ jsx9(
      "input",
      {
        type: "search",
        "aria-label": words.search,
        placeholder: words.search,
        dir: "auto",
        value: search.value,
        onInput: (event) => searchFor(event.currentTarget.value)
      }
    ),
    sessions2.length === 0 && /* @__PURE__ */ jsx9("p", { class: "remark", children: search.value ? words.noneFound : words.none }),
    /* @__PURE__ */ jsx9("div", { class: "session-groups", children: groups.map(({ name, members }, index) => /* @__PURE__ */ jsx9(SessionGroup, { name, id: `${actions ? "all" : chosen ? "found" : "rail"}-${index}`, children: members.map((session) => /* @__PURE__ */ jsx9(SessionRow, { session, chosen, actions }, session.id)) }, name)) }),
    next.value !== null && /* @__PURE__ */ jsx9("button", { type: "button", class: "quiet", onClick: () => void loadMore2().catch(() => {
    }), children: words.more })
  ] });
}
function SessionGroup({ name, id, children }) {
  if (name === "") return /* @__PURE__ */ jsx9("ul", { children });
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx9("p", { class: "session-group", id, children: name }),
    /* @__PURE__ */ jsx9("ul", { "aria-labelledby": id, children })
  ] });
}
function SessionRow({ session, chosen, actions }) {
  const words = strings.value.sessions;
  const State = more.value?.SessionState;
  const isCurrent = route.value.screen === "chat" && route.value.session === session.id;
  return /* @__PURE__ */ jsxs5("li", { children: [
    /* @__PURE__ */ jsxs5(
      "a",
      {
        href: session.match ? `${addressOf(session.id)}/t/${session.match.turn_id}` : addressOf(session.id),
        "aria-current": isCurrent ? "page" : void 0,
        onClick: chosen,
        children: [
          /* @__PURE__ */ jsx9("span", { class: "session-title", dir: "auto", children: session.title || words.untitled }),
          /* @__PURE__ */ jsx9("span", { class: "session-detail", dir: "auto", children: session.match ? /* @__PURE__ */ jsx9(Highlighted, { text: session.match.excerpt, words: search.value }) : formatTime(session.last_active) }),
          waiting.value.has(session.id) && /* @__PURE__ */ jsx9("span", { class: "badge", children: strings.value.needs.title }),
          State && /* @__PURE__ */ jsx9(State, { session, isCurrent })
        ]
      }
    ),
    actions?.(session)
  ] });
}

// src/state/dialogs.ts
import { signal as signal7 } from "./vendor.js";
var dialog = signal7(void 0);
function openDialog(opened) {
  void loadMore().then(() => {
    dialog.value = opened;
  }).catch(() => {
  });
}

// src/state/me.ts
import { signal as signal8 } from "./vendor.js";
var me = signal8(void 0);
async function loadMe() {
  me.value = await client.me().catch(() => me.peek());
}
function maySee(screen) {
  const user = me.value;
  if (!user || screen === "turns" || screen === "usage") return true;
  if (user.operator || screen === "keys" && user.scopes.includes("admin")) return true;
  return summary.value?.auth === "none" && screen !== "recordings";
}

// src/state/sendKey.ts
import { signal as signal9 } from "./vendor.js";
var SEND_KEYS = ["enter", "ctrl_enter"];
var KEY3 = "turnkit.send_key";
var sendKey = signal9(load(KEY3) === "ctrl_enter" ? "ctrl_enter" : "enter");
function chooseSendKey(chosen) {
  sendKey.value = chosen;
  save(KEY3, chosen === "enter" ? void 0 : chosen);
}

// src/state/title.ts
import { effect as effect2, signal as signal10 } from "./vendor.js";
var pageTitle = signal10("");
var badge = signal10(0);
effect2(() => {
  const title = pageTitle.value || "turnkit";
  document.title = badge.value > 0 ? `(${badge.value}) ${title}` : title;
});

// src/main.tsx
import { render } from "./vendor.js";

// src/screens/More.tsx
import { useEffect as useEffect2, useState as useState2 } from "./vendor.js";

// src/screens/Loading.tsx
import { jsx as jsx10, jsxs as jsxs6 } from "./vendor.js";
function Loading({ title, hasFailed }) {
  const { page } = strings.value;
  return /* @__PURE__ */ jsxs6("div", { class: "screen", children: [
    /* @__PURE__ */ jsx10("h1", { children: title }),
    hasFailed ? /* @__PURE__ */ jsx10("p", { role: "alert", children: page.notLoaded }) : /* @__PURE__ */ jsx10("p", { role: "status", children: page.loading }),
    hasFailed && /* @__PURE__ */ jsx10("button", { type: "button", onClick: () => location.reload(), children: page.reload })
  ] });
}

// src/screens/More.tsx
import { jsx as jsx11 } from "./vendor.js";
function More({ screen, title }) {
  const [hasFailed, setFailed] = useState2(false);
  useEffect2(() => void loadMore().catch(() => setFailed(true)), []);
  const Screen2 = more.value?.[screen];
  return Screen2 ? /* @__PURE__ */ jsx11(Screen2, {}) : /* @__PURE__ */ jsx11(Loading, { title, hasFailed });
}

// src/screens/Shell.tsx
import { useEffect as useEffect12, useState as useState9 } from "./vendor.js";

// src/screens/Chat.tsx
import { useEffect as useEffect6, useState as useState5 } from "./vendor.js";

// src/chat/Composer.tsx
import { useEffect as useEffect4, useState as useState3 } from "./vendor.js";

// src/composer/Field.tsx
import { useEffect as useEffect3, useLayoutEffect as useLayoutEffect3, useRef as useRef3 } from "./vendor.js";
import { jsx as jsx12 } from "./vendor.js";
function Field({ message, send: send2, stop }) {
  const { chat } = strings.value;
  const field = useRef3(null);
  const { text: text2 } = message.draft.value;
  const extras = message.extras.value;
  const option = extras?.activeOption.value;
  useLayoutEffect3(() => extras?.grow(field.current), [text2, extras]);
  useEffect3(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  const press = (event) => {
    if (event.isComposing || extras?.press(event)) return;
    const wish = event.key === "Enter" ? wishOf(event) : void 0;
    if (wish) {
      event.preventDefault();
      send2(wish);
    } else if (event.key === "Escape") stop();
  };
  return /* @__PURE__ */ jsx12(
    "textarea",
    {
      ref: field,
      id: "message",
      rows: 1,
      dir: "auto",
      "aria-label": chat.message,
      "aria-autocomplete": option ? "list" : void 0,
      "aria-controls": option ? "commands" : void 0,
      "aria-activedescendant": option,
      placeholder: extras?.placeholder.value ?? chat.placeholder,
      value: text2,
      readOnly: message.isSending.value,
      onInput: (event) => message.write(event.currentTarget.value),
      onKeyDown: press,
      onPaste: (event) => {
        if (extras?.receive(event.clipboardData)) event.preventDefault();
      }
    }
  );
}
function wishOf(event) {
  const isControlled = event.ctrlKey || event.metaKey;
  if (sendKey.value === "enter") {
    if (isControlled) return "steer";
    return event.shiftKey ? void 0 : "enqueue";
  }
  if (!isControlled) return void 0;
  return event.shiftKey ? "steer" : "enqueue";
}

// src/composer/NextMessage.ts
import { computed as computed3, effect as effect3, signal as signal11 } from "./vendor.js";
var NextMessage = class {
  constructor(conversation) {
    this.conversation = conversation;
    this.session = conversation?.id;
    this.draft.value = loadDraft(this.session);
    this.#stop = effect3(() => {
      if (more.value) this.extras.value = new more.value.MessageExtras(this);
    });
  }
  conversation;
  draft = signal11({ text: "" });
  /** What belongs to it besides its text, as soon as that part of the page is loaded. */
  extras = signal11(void 0);
  isSending = signal11(false);
  problem = signal11("");
  session;
  #stop;
  /** Whether the message may be sent: it has words, and all of its files are with the server. */
  canSend = computed3(() => {
    const { text: text2, hasFiles } = this.draft.value;
    const extras = this.extras.value;
    const isWhole = extras ? extras.isWhole.value : !hasFiles;
    return !this.isSending.value && text2.trim() !== "" && isWhole;
  });
  /** Ends the work on the message, which stays stored. */
  close() {
    this.#stop();
    this.extras.peek()?.close();
  }
  write(text2) {
    this.keep({ ...this.draft.peek(), text: text2 });
  }
  /** Sends the message. Returns the turn that it started, if it did. */
  async send(busy) {
    if (!this.canSend.peek()) return void 0;
    this.isSending.value = true;
    this.problem.value = "";
    try {
      await loadMore().catch(() => {
      });
      await this.extras.peek()?.uploads.restored;
      if (this.extras.peek()?.isWhole.peek() === false) return void 0;
      const draft = this.draft.peek();
      const sent = prepare(draft, {
        message: draft.text.trim(),
        ...this.session && { session_id: this.session },
        ...this.extras.peek()?.fields(),
        ...this.conversation?.running.peek() && { on_busy: busy }
      });
      this.keep({ ...draft, sent });
      const turn = await client.start({ ...sent.request, key: sent.key });
      this.extras.peek()?.sent(turn);
      this.keep({ text: "" });
      this.conversation?.noteStarted(turn.turn_id);
      return turn;
    } catch (error) {
      this.#failed(error);
      return void 0;
    } finally {
      this.isSending.value = false;
    }
  }
  fail(error) {
    this.problem.value = strings.peek().page.failed(messageOf(error));
  }
  keep(draft) {
    this.draft.value = draft;
    saveDraft(this.session, draft);
  }
  #failed(error) {
    this.fail(error);
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
    const { sent: _, ...draft } = this.draft.peek();
    this.keep(draft);
    if (error.field?.startsWith("files")) this.extras.peek()?.uploads.renew();
  }
};

// src/composer/Queue.tsx
import { jsx as jsx13, jsxs as jsxs7 } from "./vendor.js";
function Queue({ conversation, failed }) {
  const words = strings.value.chat;
  if (conversation.queue.value.length === 0) return null;
  return /* @__PURE__ */ jsx13("ul", { class: "queue", "aria-label": strings.value.composer.waiting, children: conversation.queue.value.map((queued) => /* @__PURE__ */ jsxs7("li", { children: [
    /* @__PURE__ */ jsx13(
      "span",
      {
        class: queued.steering ? "chip steering" : "chip",
        title: queued.steering ? words.steering : words.queued,
        children: queued.steering ? strings.value.composer.steering : strings.value.composer.queued
      }
    ),
    /* @__PURE__ */ jsx13("span", { class: "queue-text", dir: "auto", children: queued.input.map((part) => "text" in part ? part.text : "").join(" ") }),
    /* @__PURE__ */ jsx13("button", { type: "button", class: "quiet", onClick: () => void client.cancel(queued.turn_id).catch(failed), children: words.withdraw })
  ] }, queued.turn_id)) });
}

// src/chat/Composer.tsx
import { jsx as jsx14, jsxs as jsxs8 } from "./vendor.js";
function Composer({ conversation, started }) {
  const { chat, composer } = strings.value;
  const [message] = useState3(() => new NextMessage(conversation));
  useEffect4(() => () => message.close(), [message]);
  const Extras = more.value;
  const extras = message.extras.value;
  const running = conversation?.running.value;
  const isStopping2 = conversation?.isStopping.value;
  const canSend = message.canSend.value;
  const send2 = (busy) => void message.send(busy).then((turn) => turn && started(turn));
  const failed = (error) => message.fail(error);
  const stop = () => {
    if (running && !isStopping2) conversation?.stop().catch(failed);
  };
  return /* @__PURE__ */ jsxs8(
    "form",
    {
      class: "composer",
      onSubmit: (event) => {
        event.preventDefault();
        send2("enqueue");
      },
      children: [
        message.problem.value && /* @__PURE__ */ jsx14("p", { class: "remark error", role: "alert", children: message.problem.value }),
        conversation && /* @__PURE__ */ jsx14(Queue, { conversation, failed }),
        /* @__PURE__ */ jsxs8("div", { class: "composer-box", children: [
          Extras && extras && /* @__PURE__ */ jsx14(Extras.AboveField, { extras }),
          /* @__PURE__ */ jsx14(Field, { message, send: send2, stop }),
          /* @__PURE__ */ jsxs8("div", { class: "composer-tools", children: [
            Extras && extras && /* @__PURE__ */ jsx14(Extras.Tools, { extras }),
            /* @__PURE__ */ jsxs8("span", { class: "composer-buttons", children: [
              running && /* @__PURE__ */ jsxs8("button", { type: "button", class: "stop", disabled: isStopping2, onClick: stop, children: [
                /* @__PURE__ */ jsx14(Icon, { name: "stop" }),
                isStopping2 ? chat.stopping : chat.stop
              ] }),
              running && canSend && /* @__PURE__ */ jsx14("button", { type: "button", title: composer.steerHint, onClick: () => send2("steer"), children: composer.steer }),
              /* @__PURE__ */ jsx14("button", { class: "primary", disabled: !canSend, "aria-label": chat.send, title: running && composer.queueHint, children: /* @__PURE__ */ jsx14(Icon, { name: "send" }) })
            ] })
          ] })
        ] })
      ]
    }
  );
}

// src/chat/Log.tsx
import { useEffect as useEffect5, useLayoutEffect as useLayoutEffect4, useRef as useRef4, useState as useState4 } from "./vendor.js";

// src/chat/viewport.ts
import { signal as signal12 } from "./vendor.js";

// src/chat/anchor.ts
var DEPTH = 8;
var FEW = 16;
var SEEN = 0.5;
var Anchor = class {
  #scroller;
  /** The turn at the upper edge of the view, the element of it there, and so on. */
  #places = [];
  /** The position when they were noted. */
  #top = 0;
  /** The upper edge of the view at that time: what is above the log goes before the log does. */
  #notedEdge = 0;
  constructor(scroller) {
    this.#scroller = scroller;
  }
  /** The turn that is looked at, as an element, and how far it begins below the upper edge of the view. */
  get turn() {
    const place2 = this.#places[0];
    return place2 && { element: place2.element, offset: place2.offset - this.#notedEdge };
  }
  /** Scrolls by what the element was moved, unless the user moved it. Returns whether the user did. */
  restore() {
    const scrolled = this.#scroller.scrollTop - this.#top;
    const place2 = this.#places.findLast(({ element: element2 }) => element2.isConnected);
    if (place2) {
      const shift = topOf(place2.element) - (place2.offset - scrolled);
      if (Math.abs(shift) > SEEN) this.#scroller.scrollTop += shift;
    }
    const isLost = place2 !== this.#places.at(-1) || !place2;
    if (scrolled !== 0 || isLost || this.#isBelowEdge()) this.note();
    else this.#top = this.#scroller.scrollTop;
    this.#notedEdge = this.#edge();
    return scrolled !== 0;
  }
  /** Notes what is at the upper edge of the view now. */
  note() {
    this.#places = [];
    this.#top = this.#scroller.scrollTop;
    const edge = this.#edge();
    this.#notedEdge = edge;
    const end = edge + this.#scroller.clientHeight;
    let parent = this.#scroller.firstElementChild;
    for (let depth = 0; parent && depth < DEPTH; depth += 1) {
      const isSeen = (child) => {
        if (depth === 0 && child.tagName !== "ARTICLE") return false;
        const box = child.getBoundingClientRect();
        return box.bottom > edge + 1 && box.top < end && box.height > 0;
      };
      const { children } = parent;
      const found = [...children].slice(firstBelow(children, edge)).find(isSeen);
      if (!found) return;
      const offset = topOf(found);
      this.#places.push({ element: found, offset });
      if (offset >= edge) return;
      parent = found;
    }
  }
  /** Scrolls so that an element begins so far below the upper edge of the view. */
  place(element2, offset) {
    this.#scroller.scrollTop += topOf(element2) - this.#edge() - offset;
    this.note();
  }
  /** Returns whether there is room above the turn that is looked at, where others may have been mounted since. */
  #isBelowEdge() {
    const [first] = this.#places;
    return first !== void 0 && topOf(first.element) > this.#edge() + 1;
  }
  #edge() {
    return topOf(this.#scroller);
  }
};
function firstBelow(children, edge) {
  let [first, end] = [0, children.length];
  while (end - first > FEW) {
    const middle = first + end >> 1;
    const isAbove = (children[middle]?.getBoundingClientRect().bottom ?? edge) <= edge + 1;
    if (isAbove) first = middle;
    else end = middle;
  }
  return first;
}
function topOf(element2) {
  return element2.getBoundingClientRect().top;
}

// src/chat/heights.ts
var FIRST_GUESS = 180;
var Heights = class {
  #measured = /* @__PURE__ */ new Map();
  #sum = 0;
  set(turn, height) {
    this.#sum += height - (this.#measured.get(turn) ?? 0);
    this.#measured.set(turn, height);
  }
  /** Returns the height of a turn. One that was never measured is as high as the others are on average. */
  of(turn) {
    return this.#measured.get(turn) ?? (this.#measured.size > 0 ? this.#sum / this.#measured.size : FIRST_GUESS);
  }
  /** Returns the height of several turns together. */
  sum(turns) {
    return turns.reduce((sum, turn) => sum + this.of(turn), 0);
  }
  /** Returns the index of the turn that is so many pixels below the start of the first. */
  at(turns, distance) {
    return turns.length === 0 ? 0 : this.away(turns, -1, 1, Math.max(1, distance));
  }
  /**
   * Returns the first index from `from` on, in steps of `step`, that is at least so many pixels away, or the last one.
   */
  away(turns, from, step, distance) {
    let index = from;
    for (let rest = distance; rest > 0; index += step) {
      const turn = turns[index + step];
      if (turn === void 0) break;
      rest -= this.of(turn);
    }
    return index;
  }
  /** Forgets the turns that are not held any more. */
  keep(turns) {
    const held = new Set(turns);
    for (const [turn, height] of this.#measured) {
      if (held.has(turn)) continue;
      this.#measured.delete(turn);
      this.#sum -= height;
    }
  }
};

// src/chat/viewport.ts
var NEAR = 48;
var MOUNTED = 60;
var FEW2 = 20;
var AROUND = 1.5;
var LEAST = 0.5;
var EDGE = 2;
var MARGIN = 16;
var positions = /* @__PURE__ */ new Map();
var Viewport = class {
  /** Whether the view follows the newest turn. */
  isAtEnd = signal12(true);
  /** The first turn in the view. */
  viewed = signal12(void 0);
  /** The turn that the address names, or that was found by its words. */
  marked = signal12(void 0);
  #history;
  #heights = new Heights();
  #changed = signal12(0);
  #scroller;
  #content;
  #anchor;
  #gap = 0;
  #order = [];
  #range = { start: 0, end: 0 };
  /** The turns that were drawn last. */
  #drawn = [];
  #aim;
  #hadFocus = false;
  /** The position of the end that was last scrolled to. */
  #end = 0;
  #frame = 0;
  #timer;
  /** Begins at a turn, where the user left the session, or at its end. */
  constructor(history2, at) {
    this.#history = history2;
    this.#aim = at ? { turn: at, offset: MARGIN } : positions.get(history2.session);
    this.marked.value = at;
    this.isAtEnd.value = this.#aim === void 0;
    history2.begin = this.#aim?.turn;
    history2.viewed = this.#aim?.turn;
  }
  /** Begins to watch the elements. Returns a function that ends it. */
  attach(scroller, content) {
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
  mounted() {
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
  committed() {
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
  scrolled() {
    const scroller = this.#scroller;
    if (!scroller || this.#aim) return;
    if (!this.isAtEnd.peek() || scroller.scrollTop < this.#end - 1) {
      this.#anchor?.restore();
      this.isAtEnd.value = this.#history.isLive.peek() && this.#range.end === this.#order.length && this.#below() < NEAR;
    }
    this.#look();
  }
  /** Shows a turn, which is given by its id or its number. */
  async jump(to, focus = false) {
    await this.#history.jump(to, (turn) => this.show({ turn, offset: MARGIN, focus }));
  }
  /** Shows and marks a turn. */
  async jumpTo(turn) {
    this.marked.value = turn;
    await this.jump(turn);
  }
  /** Shows the end of the session, and follows it. */
  async toNewest() {
    await this.#history.showNewest();
    this.#aim = void 0;
    this.isAtEnd.value = true;
    this.#mountOthers();
  }
  /** Moves the focus to the next turn, or the one before. */
  async step(step) {
    const focused = document.activeElement?.closest("article");
    const from = focused && this.#content?.contains(focused) ? idOf(focused) : this.viewed.peek();
    const next2 = () => this.#order[this.#order.indexOf(from ?? "") + step];
    if (!next2()) await (step > 0 ? this.#history.loadLater() : this.#history.loadEarlier()).catch(() => {
    });
    const turn = next2() ?? from;
    if (turn) this.show({ turn, offset: MARGIN, focus: true, step });
  }
  /** Shows a held turn at a place of the view. */
  show(aim) {
    this.#aim = aim;
    this.#history.viewed = aim.turn;
    this.isAtEnd.value = false;
    if (this.#order.includes(aim.turn)) this.#choose();
    this.#changed.value += 1;
  }
  /** Scrolls to the turn that is to be shown, as soon as it is mounted. Returns whether there is such a turn. */
  #reachAim() {
    const aim = this.#aim;
    if (!aim) return false;
    const index = this.#order.indexOf(aim.turn);
    const article = document.getElementById(`t-${aim.turn}`);
    if (index < 0 && !this.#history.isLoaded.peek()) return true;
    this.#aim = void 0;
    if (article) {
      if (aim.focus) {
        article.tabIndex = -1;
        article.focus({ preventScroll: true });
      }
      this.#anchor?.place(article, aim.offset);
      if (this.#history.isLive.peek() && this.#below() < 1) this.isAtEnd.value = true;
      return true;
    }
    const neighbour = index < 0 ? void 0 : this.#order[index + (aim.step ?? 1)];
    if (neighbour) this.show({ ...aim, turn: neighbour });
    else this.#mountOthers();
    return false;
  }
  #toEnd() {
    if (!this.#scroller) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#end = this.#scroller.scrollTop;
    this.#anchor?.note();
  }
  /** Keeps the view in its place when a turn grows, an image arrives, or the window changes. */
  #resized() {
    if (this.isAtEnd.peek()) this.#toEnd();
    else if (!this.#aim) this.#anchor?.restore();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look());
  }
  /** Looks at what is in the view before the next frame. */
  #later() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#look());
  }
  /** Mounts and loads what the view comes close to. */
  #look() {
    if (!this.#scroller || this.#order.length === 0 || this.#aim) return;
    const viewed = this.#firstInView();
    this.#history.viewed = this.isAtEnd.peek() ? void 0 : viewed;
    this.viewed.value = viewed;
    if (!this.#isCovered()) this.#mountOthers();
    const near = EDGE * this.#height();
    if (this.#scroller.scrollTop < near) void this.#history.loadEarlier().catch(() => {
    });
    if (this.#below() < near) void this.#history.loadLater().catch(() => {
    });
  }
  #firstInView() {
    const turn = this.#anchor?.turn;
    if (turn) return idOf(turn.element);
    const [above, below] = this.#spaces();
    const edge = this.#scroller?.getBoundingClientRect().top ?? 0;
    const order = this.#order;
    const passed = (space, turns) => this.#heights.at(turns, edge - space.getBoundingClientRect().top);
    if (above && above.getBoundingClientRect().bottom > edge) return order[passed(above, order)];
    const { end } = this.#range;
    return below ? order[end + passed(below, order.slice(end))] : order.at(-1);
  }
  /** Returns whether enough is mounted around the view. */
  #isCovered() {
    if (!this.#scroller) return true;
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const [above, below] = this.#spaces();
    const least = LEAST * this.#height();
    const isTop = !above || above.getBoundingClientRect().bottom < top - least;
    return isTop && (!below || below.getBoundingClientRect().top > bottom + least);
  }
  #mountOthers() {
    const { start, end } = this.#range;
    this.#choose();
    if (start !== this.#range.start || end !== this.#range.end) this.#changed.value += 1;
  }
  /** Chooses the turns to mount. */
  #choose() {
    this.#measure();
    const order = this.#order;
    const height = this.#height();
    const viewed = order.indexOf(this.#aim?.turn ?? this.#history.viewed ?? "");
    if (viewed < 0 && !this.#aim) this.isAtEnd.value = this.#history.isLive.peek();
    const isAtEnd = this.isAtEnd.peek();
    this.#hadFocus = this.#content?.contains(document.activeElement) ?? false;
    this.#range = { start: 0, end: order.length };
    if (order.length <= FEW2) return;
    const first = isAtEnd ? this.#heights.away(order, order.length, -1, height) : Math.max(0, viewed);
    const start = this.#heights.away(order, first, -1, AROUND * height);
    const end = isAtEnd ? order.length : this.#heights.away(order, first, 1, (1 + AROUND) * height) + 1;
    this.#range = this.#limited(start, Math.min(end, order.length), first);
  }
  /** Keeps the number of mounted turns within the limit, and a selection in them if it fits. */
  #limited(start, end, first) {
    const selected = this.#selected();
    const [from, to] = [Math.min(start, ...selected), Math.max(end, ...selected.map((index) => index + 1))];
    if (to - from <= MOUNTED) return { start: from, end: to };
    if (end - start <= MOUNTED) return { start, end };
    if (end === this.#order.length) return { start: end - MOUNTED, end };
    const above = Math.max(start, first - MOUNTED / 3);
    return { start: above, end: above + MOUNTED };
  }
  /** Returns the places of the turns in which the selection of the user begins and ends. */
  #selected() {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed) return [];
    const articles = [selection.anchorNode, selection.focusNode].map((node) => node?.parentElement?.closest("article"));
    return articles.flatMap((article) => {
      const index = article ? this.#order.indexOf(idOf(article)) : -1;
      return index < 0 ? [] : [index];
    });
  }
  #measure() {
    const articles = [...this.#content?.children ?? []].filter((child) => child.tagName === "ARTICLE");
    const heights = new Map(
      articles.map((article) => [idOf(article), article.getBoundingClientRect().height + this.#gap])
    );
    for (const turn of this.#drawn) this.#heights.set(turn, heights.get(turn) ?? 0);
  }
  /** Makes the space of the turns that are not mounted as high as they are. */
  #space() {
    const { start, end } = this.#range;
    const [above, below] = this.#spaces();
    const set = (space, turns) => {
      if (space) space.style.blockSize = `${Math.max(0, this.#heights.sum(turns) - this.#gap)}px`;
    };
    set(above, this.#order.slice(0, start));
    set(below, this.#order.slice(end));
  }
  #spaces() {
    const find = (name) => this.#content?.querySelector(`:scope > .${name}`) ?? void 0;
    return [find("turns-above"), find("turns-below")];
  }
  #mark() {
    const marked = this.marked.peek();
    for (const article of this.#content?.querySelectorAll(":scope > article") ?? []) {
      if (idOf(article) === marked) article.setAttribute("aria-current", "true");
      else article.removeAttribute("aria-current");
    }
  }
  #height() {
    return this.#scroller?.clientHeight || innerHeight;
  }
  /** Returns how much is below the view. */
  #below() {
    const scroller = this.#scroller;
    return scroller ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight : 0;
  }
};
function idOf(article) {
  return article.id.slice(2);
}

// src/chat/Log.tsx
import { Fragment as Fragment5, jsx as jsx15, jsxs as jsxs9 } from "./vendor.js";
function Log({ conversation, at }) {
  const { history: history2 } = conversation;
  const scroller = useRef4(null);
  const content = useRef4(null);
  const [viewport] = useState4(() => new Viewport(history2, at));
  const [Search, setSearch] = useState4();
  const Position = more.value?.Position;
  const words = strings.value;
  const { turns, before, after } = viewport.mounted();
  useLayoutEffect4(() => {
    if (scroller.current && content.current) return viewport.attach(scroller.current, content.current);
  }, [viewport]);
  useLayoutEffect4(() => viewport.committed());
  useEffect5(() => {
    if (at && at !== viewport.marked.peek()) void viewport.jumpTo(at).catch(() => {
    });
  }, [viewport, at]);
  const sent = conversation.sent.value;
  useEffect5(() => {
    if (sent > 0) void viewport.toNewest().catch(() => {
    });
  }, [viewport, sent]);
  const search2 = () => {
    const field = document.querySelector(".turn-search input");
    if (field) return field.focus();
    void import("./search.js").then((part) => setSearch({ part: part.TurnSearch })).catch(() => {
    });
  };
  useEffect5(() => {
    conversation.search = search2;
    return () => {
      conversation.search = () => {
      };
    };
  }, [conversation]);
  useKeys(viewport, conversation);
  return /* @__PURE__ */ jsxs9(Fragment5, { children: [
    Position && /* @__PURE__ */ jsx15(Position, { history: history2, viewport, search: search2 }),
    Search && /* @__PURE__ */ jsx15(
      Search.part,
      {
        session: conversation.id,
        jump: (turn) => viewport.jumpTo(turn),
        close: () => setSearch(void 0)
      }
    ),
    /* @__PURE__ */ jsxs9("div", { class: "log-frame", children: [
      /* @__PURE__ */ jsx15(
        "div",
        {
          ref: scroller,
          class: "log",
          role: "log",
          "aria-label": words.chat.conversation,
          "aria-live": "off",
          "aria-busy": conversation.isRunning.value,
          tabIndex: 0,
          onScroll: () => viewport.scrolled(),
          children: /* @__PURE__ */ jsxs9("div", { ref: content, class: "log-content", children: [
            history2.hasEarlier.value && /* @__PURE__ */ jsx15("p", { class: "remark", children: words.page.loading }),
            before > 0 && /* @__PURE__ */ jsx15("div", { class: "turns-above" }),
            turns.map((id) => /* @__PURE__ */ jsx15(Turn, { conversation, viewport, turn: conversation.turn(id) }, id)),
            after > 0 && /* @__PURE__ */ jsx15("div", { class: "turns-below" }),
            history2.isLive.value && /* @__PURE__ */ jsx15(
              Approvals,
              {
                pending: conversation.pending.value,
                decided: (interaction) => conversation.noteDecided(interaction.id)
              }
            )
          ] })
        }
      ),
      !viewport.isAtEnd.value && /* @__PURE__ */ jsx15(
        "button",
        {
          type: "button",
          class: "latest",
          "aria-label": words.chat.latest,
          onClick: () => void viewport.toNewest().catch(() => {
          }),
          children: /* @__PURE__ */ jsx15(Icon, { name: "down" })
        }
      )
    ] })
  ] });
}
function useKeys(viewport, conversation) {
  useEffect5(() => {
    const press = (event) => {
      const control = event.ctrlKey || event.metaKey;
      if (control && event.shiftKey && event.key.toLowerCase() === "f") {
        event.preventDefault();
        return conversation.search();
      }
      const isTyping = event.target.closest("input, textarea, select, [contenteditable], dialog");
      if (control || event.altKey || event.shiftKey || isTyping) return;
      if (event.key !== "j" && event.key !== "k") return;
      event.preventDefault();
      void viewport.step(event.key === "j" ? 1 : -1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [viewport]);
}

// src/chat/Status.tsx
import { jsx as jsx16 } from "./vendor.js";
function Status({ conversation }) {
  return /* @__PURE__ */ jsx16("p", { class: "status", role: "status", children: sentence(conversation) });
}
function sentence(conversation) {
  const words = strings.value.status;
  if (conversation.connection.value === "lost") return words.lost;
  if (!conversation.isLoaded.value) return words.connecting;
  if (conversation.pending.value.length > 0) return words.decision;
  const running = conversation.running.value;
  if (!running) {
    const status = conversation.history.last.value?.status;
    return status ? words.ended[status] : words.ready;
  }
  if (conversation.isStopping.value) return words.stopping;
  const tool = running.tools.find((tool2) => tool2.ok === void 0);
  if (tool) return words.tool(visible(tool.name));
  return running.waiting_since ? words.thinking : words.answering;
}

// src/state/conversation.ts
import { batch as batch4, computed as computed5, effect as effect4, signal as signal15 } from "./vendor.js";

// src/state/history.ts
import { batch as batch3, computed as computed4, signal as signal13 } from "./vendor.js";
var HELD = 400;
var NEIGHBOURS = 100;
var PAGE = 50;
var SKIPPED = 8;
var PAUSE_MS2 = 3e3;
var History = class {
  constructor(session) {
    this.session = session;
  }
  session;
  /** The turns that are held, in order. */
  order = signal13([]);
  /** The last turn of the branch that the next turn continues, whether or not it is held. */
  head = signal13(void 0);
  /** The number of the session's last turn. */
  total = signal13(0);
  /** Whether the first turns have arrived. */
  isLoaded = signal13(false);
  /** Whether the held turns end with the newest one. */
  isLive = computed4(() => this.order.value.length === 0 || this.order.value.at(-1) === this.head.value);
  /** Whether the first held turn continues another one. */
  hasEarlier = computed4(() => this.#parent(this.order.value[0]) !== void 0);
  /** The turns that have messages, as far as they are known: those that are held, and where other branches begin. */
  versions = signal13(/* @__PURE__ */ new Map());
  /** The newest turn. */
  last = computed4(() => {
    const view = this.head.value && this.order.value && this.#turns.get(this.head.value)?.value;
    return view && view.number > 0 ? view : void 0;
  });
  /** Whether the session is not shown any more, or cannot be. */
  isClosed = false;
  /** The turn with which the first load begins, in place of the newest. */
  begin;
  /** The turn that the user looks at; none if the view follows the newest. */
  viewed;
  #turns = /* @__PURE__ */ new Map();
  /** The turn that each turn continues. */
  #after = /* @__PURE__ */ new Map();
  /** The numbers of turns that have not begun. The event of the beginning has no number. */
  #queued = /* @__PURE__ */ new Map();
  #isLoading = false;
  /** Whether no turn continues the last held one, although another branch goes on. */
  #isBranchEnd = false;
  /** Counts what replaced the held turns, so that pages which were asked for before are dropped. */
  #version = 0;
  /** Returns a turn, which changes as its events arrive. */
  turn(id) {
    let turn = this.#turns.get(id);
    if (!turn) {
      turn = signal13(emptyTurn(id, 0));
      this.#turns.set(id, turn);
    }
    return turn;
  }
  /** Adds a turn that began. It continues the newest one, as far as this page knows. */
  start(turn) {
    const previous = this.head.peek();
    if (!this.#after.has(turn)) this.#after.set(turn, previous ?? null);
    const isHeld = this.isLive.peek();
    const view = this.turn(turn);
    const number = view.peek().number || this.#queued.get(turn) || this.total.peek() + 1;
    const after = this.#after.get(turn) ?? null;
    batch3(() => {
      view.value = { ...view.peek(), number };
      this.head.value = turn;
      this.total.value = Math.max(this.total.peek(), number);
      if (view.peek().input.length > 0) this.#note([[turn, { number, after, isNext: after === previous }]]);
      if (isHeld) this.#hold(this.#branch(turn));
    });
  }
  /** Notes that a turn continues another one than the newest. */
  place(turn, after) {
    this.#after.set(turn, after);
    if (this.head.peek() === turn) this.#hold(this.#branch(turn));
  }
  /** Notes the turns that wait for the end of the running one. */
  expect(queue) {
    for (const turn of queue) this.#queued.set(turn.turn_id, turn.number);
    this.total.value = Math.max(this.total.peek(), ...queue.map((turn) => turn.number));
  }
  /** Begins with the last turns of a snapshot, and loads what they are missing. */
  async restart(head, page) {
    const wasLive = this.isLive.peek();
    const known2 = this.total.peek();
    const old = this.head.peek();
    const number = head && this.#turns.get(head)?.peek().number;
    const isSwitched = old !== void 0 && head !== old && (!number || number <= known2);
    const isLoaded = this.isLoaded.peek();
    const isComplete = hasTurn(page, head);
    const before = this.order.peek();
    batch3(() => {
      this.head.value = head;
      this.#replace(page);
      if (isLoaded && isComplete && (wasLive || isSwitched)) return this.#show(before, isSwitched);
      if (wasLive && (isLoaded || !this.begin)) this.#hold(this.#branch(head));
      if (!isLoaded && !this.begin) this.isLoaded.value = isComplete;
    });
    if (!this.isLoaded.peek()) return this.#open();
    if (!isComplete && (wasLive || isSwitched)) await this.refresh(isSwitched);
  }
  /** Loads the newest turns again, because there may be others than this page knows of. */
  async refresh(isSwitched = false) {
    const version = this.#version;
    const before = this.order.peek();
    const page = await this.#newest();
    if (version !== this.#version) return;
    batch3(() => {
      this.#add(page);
      this.#show(before, isSwitched);
    });
  }
  /** Holds the newest turns, after others were held. */
  #show(before, isSwitched) {
    const branch = this.#branch(this.head.peek());
    const viewed = this.viewed ?? "";
    const isLost = !isSwitched && before.includes(viewed) && !branch.includes(viewed);
    this.#hold(isLost ? before : branch);
  }
  /** Loads turns before the first held one. */
  async loadEarlier() {
    const first = this.order.peek()[0];
    const parent = this.#parent(first);
    if (!first || !parent || this.#isLoading) return;
    await this.#load(async () => {
      const page = await client.turns(this.session, { before: first, limit: PAGE });
      if (page.data.some((turn) => turn.turn_id === parent)) return page;
      return client.turns(this.session, { around: parent, limit: PAGE });
    }, (page) => {
      this.#add(page);
      this.#hold(this.#branch(this.order.peek().at(-1)));
    });
  }
  /** Loads turns after the last held one. */
  async loadLater() {
    const last2 = this.order.peek().at(-1);
    if (!last2 || this.isLive.peek() || this.#isBranchEnd || this.#isLoading) return;
    let from = last2;
    for (let pages = 0; from !== null && pages < SKIPPED && this.order.peek().at(-1) === last2; pages += 1) {
      const after = from;
      const page = await this.#load(
        () => client.turns(this.session, { after, limit: PAGE }),
        (page2) => this.#append(page2)
      );
      if (!page) return;
      from = page.after;
    }
    this.#isBranchEnd = this.order.peek().at(-1) === last2;
  }
  /**
   * Holds the turns around one, which is given by its id or its number. `found` is called with its id, or with that of
   * the turn before it on the branch, before the held turns change. `head` is the new head, if that has moved.
   */
  async jump(to, found, head) {
    const held = this.order.peek().find((id) => id === to || this.turn(id).peek().number === to);
    if (held) return found(held);
    this.#version += 1;
    await this.#load(() => client.turns(this.session, { around: to, limit: PAGE }), (page) => {
      if (head) this.head.value = head;
      this.#add(page);
      const branch = this.#branchThrough(page.data, to);
      const number = typeof to === "number" ? to : this.turn(to).peek().number;
      const index = branch.findLastIndex((id) => this.turn(id).peek().number <= number);
      const turn = branch[Math.max(0, index)];
      this.viewed = turn;
      if (turn) found(turn);
      this.#hold(branch);
    });
  }
  /** Holds the newest turns. */
  async showNewest() {
    this.viewed = void 0;
    if (this.isLive.peek()) return;
    this.#version += 1;
    await this.#load(() => this.#newest(), (page) => {
      this.#add(page);
      this.#hold(this.#branch(this.head.peek()));
    });
  }
  /** Loads the first turns that are shown, again after a pause if the server is away. */
  async #open() {
    await this.#loadFirst().catch(() => setTimeout(() => this.isClosed || this.isLoaded.peek() || void this.#open(), PAUSE_MS2));
  }
  async #loadFirst() {
    const from = this.begin;
    if (from) {
      const isMissing = (error) => error instanceof ApiError && [404, 422].includes(error.status);
      const page2 = await client.turns(this.session, { around: from, limit: PAGE }).catch((error) => {
        if (!isMissing(error)) throw error;
        return void 0;
      });
      if (page2) {
        return batch3(() => {
          this.#add(page2);
          this.viewed = from;
          this.#hold(this.#branchThrough(page2.data, from));
          this.isLoaded.value = true;
        });
      }
    }
    const page = await this.#newest();
    batch3(() => {
      this.#add(page);
      this.#hold(this.#branch(this.head.peek()));
      this.isLoaded.value = true;
    });
  }
  /** Runs a request, one at a time, and applies its page unless other turns are held by then. */
  async #load(request, apply3) {
    const version = this.#version;
    this.#isLoading = true;
    try {
      const page = await request();
      if (version !== this.#version) return void 0;
      batch3(() => apply3(page));
      return page;
    } finally {
      if (version === this.#version) this.#isLoading = false;
    }
  }
  /** Returns the page that ends with the newest turn. The head may be an earlier turn, after a change of the branch. */
  async #newest() {
    const page = await client.turns(this.session, { limit: PAGE });
    const head = this.head.peek();
    if (hasTurn(page, head)) return page;
    return client.turns(this.session, { around: head, limit: PAGE });
  }
  /** Takes the turns of a snapshot. The events after it are applied to them, so they replace even what is newer. */
  #replace(page) {
    for (const turn of page.data) if (turn.state !== "queued") this.turn(turn.turn_id).value = turn;
    this.#add(page);
  }
  #add(page) {
    this.total.value = Math.max(this.total.peek(), page.turns);
    const versions = [];
    for (const [index, turn] of page.data.entries()) {
      const { number, after } = turn;
      this.#after.set(turn.turn_id, after);
      const hasMessage = turn.state !== "queued" && !turn.kind && !turn.steered_into;
      if (hasMessage) versions.push([turn.turn_id, { number, after, isNext: page.data[index - 1]?.turn_id === after }]);
      const shown = this.turn(turn.turn_id);
      const { seq, status } = shown.peek();
      const isNewer = seq > 0 && (seq >= turn.seq || !status);
      if (!isNewer && turn.state !== "queued") shown.value = turn;
      else if (isNewer && shown.peek().number !== number) shown.value = { ...shown.peek(), number };
    }
    this.#note(versions);
  }
  #note(versions) {
    this.versions.value = new Map([...this.versions.peek(), ...versions]);
  }
  /**
   * Continues the held turns with those of a page that belong to their branch, the newest branch if there are several.
   */
  #append(page) {
    this.#add(page);
    const held = this.order.peek();
    const joint = this.viewed ?? held.at(-1) ?? "";
    for (const tip of this.#tips(page.data)) {
      const branch = this.#branch(tip);
      if (!held.includes(tip) && branch.includes(joint)) return this.#hold(branch);
    }
    this.#forget();
  }
  /** Returns the branch in a page that has the turn; of several, the branch of the newest turn. */
  #branchThrough(page, turn) {
    const branches = this.#tips(page).map((tip) => this.#branch(tip));
    return branches.find((branch) => branch.includes(String(turn))) ?? branches[0] ?? [];
  }
  /** Returns the turns of a page at which a branch may end: first the head, then the newest. */
  #tips(page) {
    const begun = page.filter((turn) => turn.state !== "queued").map((turn) => turn.turn_id);
    const head = this.head.peek();
    return [...begun.filter((turn) => turn === head), ...begun.reverse()];
  }
  /** Follows a branch back from its last turn, as far as its turns are known. */
  #branch(tip) {
    const branch = /* @__PURE__ */ new Set();
    let turn = tip;
    while (turn && this.#turns.has(turn) && !branch.has(turn)) {
      branch.add(turn);
      turn = this.#after.get(turn);
    }
    return [...branch].reverse();
  }
  #parent(turn) {
    return turn && this.#after.get(turn) || void 0;
  }
  /** Holds these turns, and drops all others. */
  #hold(branch) {
    const order = this.#shorten(branch);
    const current = this.order.peek();
    const isSame = order.length === current.length && order.every((id, index) => id === current[index]);
    if (!isSame) {
      if (order.at(-1) !== current.at(-1)) this.#isBranchEnd = false;
      this.order.value = order;
    }
    this.#forget();
  }
  /** Leaves out the turns that are the farthest from the one that is looked at. */
  #shorten(branch) {
    const excess = branch.length - HELD;
    if (excess <= 0) return branch;
    const viewed = branch.indexOf(this.viewed ?? "");
    const start = viewed < 0 ? excess : Math.min(excess, Math.max(0, viewed - NEIGHBOURS));
    return branch.slice(start, start + HELD);
  }
  /** Forgets the turns that are not held. The newest one is kept, because it may run. */
  #forget() {
    const kept = /* @__PURE__ */ new Set([...this.order.peek(), this.head.peek()]);
    for (const [id, turn] of this.#turns) {
      if (kept.has(id) || turn.peek().seq > 0 && !turn.peek().status) continue;
      this.#turns.delete(id);
      this.#after.delete(id);
    }
    const versions = [...this.versions.peek()];
    const known2 = versions.filter(([id, { after, isNext }]) => !isNext || kept.has(id) || kept.has(after ?? ""));
    if (known2.length < versions.length) this.versions.value = new Map(known2);
  }
};
function hasTurn(page, turn) {
  return !turn || page.data.some(({ turn_id }) => turn_id === turn);
}

// src/state/pace.ts
var SHORTEST_MS = 1e3 / 20;
var LONGEST_MS = 250;
var REST = 8;
var Pace = class {
  #apply;
  #frames = [];
  /** Whether a turn has ended. Little follows, so waiting would save no work. */
  #hasEnd = false;
  #timer;
  /** Whether what was passed on last is not drawn yet. */
  #isDrawing = false;
  #last = 0;
  #pause = SHORTEST_MS;
  constructor(apply3) {
    this.#apply = apply3;
  }
  push(frames) {
    this.#frames.push(...frames);
    this.#hasEnd ||= frames.some(({ event }) => event === "turn.ended");
    if (!this.#isDrawing) this.#schedule();
  }
  stop() {
    clearTimeout(this.#timer);
    this.#frames = [];
  }
  #schedule() {
    if (this.#hasEnd) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#last + this.#pause - performance.now()));
  }
  #flush() {
    const frames = this.#frames;
    const started = performance.now();
    clearTimeout(this.#timer);
    this.#frames = [];
    this.#hasEnd = false;
    this.#timer = void 0;
    this.#isDrawing = true;
    whenDrawn((cost) => {
      this.#isDrawing = false;
      this.#pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, cost * REST));
      this.#last = cost * REST > SHORTEST_MS ? performance.now() : started;
      if (this.#frames.length > 0) this.#schedule();
    });
    this.#apply(frames);
  }
};
function whenDrawn(done) {
  const started = performance.now();
  let scripts = 0;
  setTimeout(() => {
    scripts = performance.now() - started;
  });
  const end = (frame) => {
    clearTimeout(hidden);
    done(scripts + frame);
  };
  const hidden = setTimeout(() => {
    cancelAnimationFrame(request);
    end(0);
  }, LONGEST_MS);
  const request = requestAnimationFrame(() => {
    const began = performance.now();
    setTimeout(() => end(performance.now() - began));
  });
}

// src/state/stopping.ts
import { signal as signal14 } from "./vendor.js";
var stopping = signal14([]);
var tabs2 = typeof BroadcastChannel === "undefined" ? void 0 : new BroadcastChannel("turnkit stopping");
tabs2?.addEventListener("message", ({ data }) => note(data.turn, data.isStopping));
function isStopping(turn) {
  return stopping.value.includes(turn);
}
function noteStopping(turn, isStopping2) {
  note(turn, isStopping2);
  tabs2?.postMessage({ turn, isStopping: isStopping2 });
}
function note(turn, isStopping2) {
  const others = stopping.peek().filter((other) => other !== turn);
  stopping.value = isStopping2 ? [...others, turn] : others;
}

// src/state/conversation.ts
var Conversation = class {
  constructor(id) {
    this.id = id;
    this.history = new History(id);
    this.#unwatch = effect4(() => {
      if (changed.value?.id === id) this.session.value = changed.value;
    });
    this.#unfollow = followSession(id, {
      events: (events) => this.#pace.push(events),
      ended: (error) => {
        this.history.isClosed = true;
        this.refusal.value = error;
      }
    });
  }
  id;
  session = signal15(void 0);
  /** The turns that are held. */
  history;
  /** How many messages the user has sent from this page. */
  sent = signal15(0);
  queue = signal15([]);
  progress = signal15(/* @__PURE__ */ new Map());
  connection = connection;
  /** Opens the search, as long as the turns are on the screen. */
  search = () => {
  };
  /** Why the session cannot be shown. */
  refusal = signal15(void 0);
  #pending = signal15(/* @__PURE__ */ new Map());
  /** The turns that this page started. They continue the last turn. */
  #own = /* @__PURE__ */ new Set();
  #pace = new Pace((events) => this.#applyAll(events));
  #unfollow;
  #unwatch;
  /** All calls of the session and of its sub-agents that wait for the user. */
  pending = computed5(() => {
    const all = [...this.#pending.value.values()].flat().filter((interaction) => interaction.kind !== "child");
    return [...new Map(all.map((interaction) => [interaction.id, interaction])).values()];
  });
  /** The turn that has not ended. */
  running = computed5(() => {
    const last2 = this.history.last.value;
    return last2 && !last2.status ? last2 : void 0;
  });
  /** Whether a turn has not ended. */
  isRunning = computed5(() => this.running.value !== void 0);
  /** Whether that turn was asked to stop: in this browser, or as the server said when the page was loaded. */
  isStopping = computed5(() => {
    const running = this.running.value;
    return running !== void 0 && (running.state === "cancelling" || isStopping(running.turn_id));
  });
  /** Stops following the session. */
  close() {
    this.history.isClosed = true;
    this.#unfollow();
    this.#unwatch();
    this.#pace.stop();
  }
  /** Whether the first turns have arrived. */
  get isLoaded() {
    return this.history.isLoaded;
  }
  /** Returns a turn, which changes as its events arrive. */
  turn(id) {
    return this.history.turn(id);
  }
  async stop() {
    const running = this.running.value;
    if (!running) return;
    noteStopping(running.turn_id, true);
    await client.cancel(running.turn_id).catch((error) => {
      noteStopping(running.turn_id, false);
      throw error;
    });
  }
  /** Notes that the user started this turn, and the turn that it continues, if that is not the last one. */
  noteStarted(turn, after) {
    if (after === void 0) this.#own.add(turn);
    else this.history.place(turn, after);
    this.sent.value += 1;
  }
  /** Removes an interaction that was decided, before the feed reports it. */
  noteDecided(id) {
    const without = [...this.#pending.value].map(
      ([turn, list2]) => [turn, list2.filter((interaction) => interaction.id !== id)]
    );
    this.#pending.value = new Map(without);
  }
  #applyAll(events) {
    batch4(() => {
      for (const { event, data } of events) this.#apply(event, data);
    });
  }
  #apply(name, data) {
    switch (name) {
      case "resync":
        return this.#restart(data);
      case "queue":
        this.queue.value = data.queue;
        return this.history.expect(this.queue.peek());
      case "pending": {
        const { turn_id, interactions } = data;
        this.#pending.value = new Map(this.#pending.value).set(turn_id, interactions);
        return;
      }
      case "tool.progress": {
        const { call_id, text: text2 } = data;
        this.progress.value = new Map(this.progress.value).set(call_id, text2);
        return;
      }
      default:
        if (typeof data.turn_id === "string") this.#applyToTurn(name, data);
    }
  }
  #applyToTurn(name, event) {
    const turn = this.turn(event.turn_id);
    const isNew = turn.peek().seq === 0;
    turn.value = foldTurn(turn.peek(), name, event);
    if (name === "turn.started" && isNew) this.#begin(event.turn_id);
    if (name === "turn.ended") this.#end(event.turn_id);
  }
  #begin(turn) {
    this.history.start(turn);
    if (!this.#own.has(turn) && this.history.isLive.peek()) void this.history.refresh().catch(() => {
    });
  }
  #end(turn) {
    if (this.#pending.peek().get(turn)?.length) this.#pending.value = new Map(this.#pending.peek()).set(turn, []);
    if (this.progress.peek().size > 0) this.progress.value = /* @__PURE__ */ new Map();
  }
  /** Begins with a snapshot of the session. */
  #restart({ session, turns, queue }) {
    this.session.value = session;
    this.queue.value = queue;
    this.#pending.value = /* @__PURE__ */ new Map();
    noteSession(session);
    void this.history.restart(session.head, turns).catch(() => {
    });
    this.history.expect(queue);
  }
};

// src/screens/Chat.tsx
import { Fragment as Fragment6, jsx as jsx17, jsxs as jsxs10 } from "./vendor.js";
function Chat({ session, turn }) {
  const [conversation, setConversation] = useState5();
  useEffect6(() => {
    const opened = new Conversation(session);
    setConversation(opened);
    return () => opened.close();
  }, [session]);
  if (conversation?.id !== session) return null;
  return /* @__PURE__ */ jsx17(Opened, { conversation, turn }, conversation.id);
}
function Opened({ conversation, turn }) {
  const { feed: feed2, page, sessions: sessions2, status } = strings.value;
  const title = conversation.session.value?.title || sessions2.untitled;
  const needsUser = conversation.pending.value.length > 0;
  useEffect6(() => {
    pageTitle.value = `${needsUser ? `(${status.decision}) ` : ""}${title} – ${page.title}`;
    return () => {
      pageTitle.value = "";
    };
  }, [title, needsUser, page.title, status.decision]);
  const refusal = conversation.refusal.value;
  const Menu = more.value?.SessionMenu;
  const isLoaded = conversation.isLoaded.value;
  return /* @__PURE__ */ jsxs10(Fragment6, { children: [
    /* @__PURE__ */ jsxs10("header", { class: "chat-header", children: [
      /* @__PURE__ */ jsx17("h1", { dir: "auto", children: title }),
      !refusal && /* @__PURE__ */ jsx17(Status, { conversation }),
      !refusal && Menu && /* @__PURE__ */ jsx17(Menu, { conversation })
    ] }),
    refusal && isLoaded && /* @__PURE__ */ jsx17("p", { class: "banner", role: "alert", children: refusal.status === 404 ? feed2.deleted : page.failed(refusal.message) }),
    refusal && !isLoaded ? /* @__PURE__ */ jsx17("p", { class: "empty", children: refusal.status === 404 ? page.notFound : page.failed(refusal.message) }) : /* @__PURE__ */ jsxs10(Fragment6, { children: [
      /* @__PURE__ */ jsx17(Log, { conversation, at: turn }),
      /* @__PURE__ */ jsx17(Composer, { conversation, started: () => {
      } })
    ] })
  ] });
}

// src/screens/Needs.tsx
import { useEffect as useEffect7 } from "./vendor.js";
import { jsx as jsx18, jsxs as jsxs11 } from "./vendor.js";
function Needs() {
  const words = strings.value.needs;
  useEffect7(() => {
    void loadNeeds().catch(() => {
    });
  }, []);
  return /* @__PURE__ */ jsxs11("div", { class: "screen", children: [
    /* @__PURE__ */ jsx18("h1", { children: words.title }),
    needs.value.length === 0 && /* @__PURE__ */ jsx18("p", { class: "remark", children: words.none }),
    /* @__PURE__ */ jsx18(Approvals, { pending: needs.value, decided: () => void loadNeeds().catch(() => {
    }), addressOf })
  ] });
}

// src/screens/NewSession.tsx
import { useState as useState6 } from "./vendor.js";
import { jsx as jsx19, jsxs as jsxs12 } from "./vendor.js";
function NewSession() {
  const words = strings.value.chat;
  const Offline = more.value?.Offline;
  const [edition, setEdition] = useState6(0);
  const open = ({ session_id }) => {
    replaceWith(session_id);
    void loadSessions().catch(() => {
    });
  };
  const suggest = (text2) => {
    saveDraft(void 0, { ...loadDraft(void 0), text: text2 });
    setEdition(edition + 1);
  };
  return /* @__PURE__ */ jsxs12("div", { class: "welcome", children: [
    /* @__PURE__ */ jsxs12("div", { class: "welcome-text", children: [
      /* @__PURE__ */ jsx19("h1", { children: words.welcome }),
      /* @__PURE__ */ jsx19("p", { class: "buttons", children: (more.value?.offlineSuggestions.value ?? words.suggestions).map((text2) => /* @__PURE__ */ jsx19("button", { type: "button", onClick: () => suggest(text2), children: text2 }, text2)) }),
      Offline && /* @__PURE__ */ jsx19(Offline, {})
    ] }),
    /* @__PURE__ */ jsx19(Composer, { conversation: void 0, started: open }, edition)
  ] });
}

// src/screens/Operator.tsx
import { useEffect as useEffect8, useState as useState7 } from "./vendor.js";
import { jsx as jsx20 } from "./vendor.js";
function Operator({ shown }) {
  const [part, setPart] = useState7();
  const [hasFailed, setFailed] = useState7(false);
  useEffect8(() => {
    load2().then(setPart, () => setFailed(true));
  }, []);
  const Screen2 = part?.screens[shown.screen];
  const title = strings.value.operator[shown.screen];
  return Screen2 ? /* @__PURE__ */ jsx20(Screen2, { shown }) : /* @__PURE__ */ jsx20(Loading, { title, hasFailed });
}
var load2 = once(async () => {
  const [part] = await Promise.all([import("./admin.js"), loadStyles()]);
  return part;
});
function loadStyles() {
  return new Promise((resolve, reject) => {
    const link2 = document.createElement("link");
    link2.rel = "stylesheet";
    link2.href = "admin.css";
    link2.addEventListener("load", () => resolve());
    link2.addEventListener("error", () => {
      link2.remove();
      reject(new Error("admin.css could not be loaded"));
    });
    document.head.append(link2);
  });
}

// src/screens/useLists.ts
import { batch as batch5, effect as effect5 } from "./vendor.js";
import { useEffect as useEffect9 } from "./vendor.js";
function useLists() {
  useEffect9(() => {
    let areLoaded = false;
    const stopLoading = effect5(() => {
      const state = connection.value;
      if (state === "connecting" || state === "lost" && areLoaded) return;
      areLoaded = true;
      void loadSessions().catch(() => {
      });
      void loadNeeds().catch(() => {
      });
    });
    const close = openFeed((changes) => changes.forEach(apply2));
    return () => {
      stopLoading();
      close();
    };
  }, []);
}
function apply2({ event, session: id, data }) {
  if (event === "interactions.changed") return void loadNeeds().catch(() => {
  });
  if (event === "session.removed") {
    more.peek()?.forgetUnsent(id ?? "");
    return forgetSession(id ?? "");
  }
  if (event !== "session.changed") return;
  const { session, running } = data;
  batch5(() => {
    noteSession(session);
    more.peek()?.noteRunning(session.id, running);
  });
}

// src/screens/useRail.ts
import { useEffect as useEffect10, useState as useState8 } from "./vendor.js";
var KEY4 = "turnkit.rail";
var wide = matchMedia("(width >= 45rem)");
var isOpenAtFirst = () => wide.matches && !load(KEY4);
function useRail() {
  const [isOpen, setOpen] = useState8(isOpenAtFirst);
  useEffect10(() => {
    const fit = () => setOpen(isOpenAtFirst());
    wide.addEventListener("change", fit);
    return () => wide.removeEventListener("change", fit);
  }, []);
  useEffect10(() => setOpen((isOpen2) => isOpen2 && wide.matches), [route.value]);
  const toggle = () => {
    if (wide.matches) save(KEY4, isOpen ? "folded" : void 0);
    if (document.activeElement?.closest(".rail")) document.querySelector(".rail-button")?.focus();
    setOpen(!isOpen);
  };
  return [isOpen, toggle];
}

// src/screens/useShortcuts.ts
import { useEffect as useEffect11 } from "./vendor.js";
function useShortcuts(switchSession, toggleRail) {
  useEffect11(() => {
    const press = (event) => {
      const isControlled = event.ctrlKey || event.metaKey;
      if (isControlled && event.key === "k") {
        event.preventDefault();
        switchSession();
      } else if (isControlled && event.key === "b" && !document.querySelector("dialog[open]")) {
        event.preventDefault();
        toggleRail();
      } else if (isControlled && event.shiftKey && event.key.toLowerCase() === "o") {
        event.preventDefault();
        location.hash = "#/";
      } else if (event.key === "?" && !isControlled && !event.altKey && !isWriting(event.target)) {
        event.preventDefault();
        openDialog({ kind: "shortcuts" });
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
function isWriting(target) {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

// src/screens/Shell.tsx
import { jsx as jsx21, jsxs as jsxs13 } from "./vendor.js";
function Shell() {
  const { page, sessions: sessions2 } = strings.value;
  const [isSwitching, setSwitching] = useState9(false);
  const [isRailOpen, toggleRail] = useRail();
  const Overlays = more.value?.Overlays;
  useLists();
  useEffect12(loadMoreSoon, [connection.value === "open"]);
  const closeSwitcher = () => {
    setSwitching(false);
    searchFor("");
  };
  useShortcuts(() => setSwitching(true), toggleRail);
  return /* @__PURE__ */ jsxs13("div", { class: isRailOpen ? "shell rail-open" : "shell", children: [
    /* @__PURE__ */ jsx21(
      "a",
      {
        class: "skip",
        href: "#content",
        onClick: (event) => {
          event.preventDefault();
          (document.getElementById("message") ?? document.getElementById("content"))?.focus();
        },
        children: page.skip
      }
    ),
    /* @__PURE__ */ jsx21(
      "button",
      {
        type: "button",
        class: "icon-button rail-button",
        "aria-label": sessions2.title,
        "aria-expanded": isRailOpen,
        onClick: toggleRail,
        children: /* @__PURE__ */ jsx21(Icon, { name: isRailOpen && !wide.matches ? "close" : "menu" })
      }
    ),
    /* @__PURE__ */ jsx21(Rail, {}),
    /* @__PURE__ */ jsxs13("main", { id: "content", tabIndex: -1, children: [
      isOutdated.value && /* @__PURE__ */ jsxs13("p", { class: "banner", role: "alert", children: [
        page.newBuild,
        " ",
        /* @__PURE__ */ jsx21("button", { type: "button", onClick: () => location.reload(), children: page.reload })
      ] }),
      failures.value > 2 && /* @__PURE__ */ jsx21("p", { class: "banner", role: "status", children: page.lost }),
      /* @__PURE__ */ jsx21(Screen, {})
    ] }),
    isSwitching && /* @__PURE__ */ jsx21(Dialog, { title: sessions2.title, close: closeSwitcher, children: /* @__PURE__ */ jsx21(SessionList, { chosen: closeSwitcher }) }),
    Overlays && /* @__PURE__ */ jsx21(Overlays, {})
  ] });
}
function Screen() {
  const shown = route.value;
  switch (shown.screen) {
    case "new":
      return /* @__PURE__ */ jsx21(NewSession, {});
    case "chat":
      return /* @__PURE__ */ jsx21(Chat, { session: shown.session, turn: shown.turn });
    case "sessions":
      return /* @__PURE__ */ jsx21(More, { screen: "Sessions", title: strings.value.sessions.title });
    case "needs":
      return /* @__PURE__ */ jsx21(Needs, {});
    case "settings":
      return /* @__PURE__ */ jsx21(More, { screen: "Settings", title: strings.value.settings.title });
    default:
      return /* @__PURE__ */ jsx21(Operator, { shown });
  }
}
function Rail() {
  const { sessions: sessions2, needs: words, settings, page, rail } = strings.value;
  const Links = more.value?.OperatorLinks;
  const count2 = needs.value.length;
  const link2 = (screen) => ({
    href: `#/${screen}`,
    "aria-current": route.value.screen === screen ? "page" : void 0
  });
  return /* @__PURE__ */ jsxs13("nav", { class: "rail", "aria-label": page.title, children: [
    /* @__PURE__ */ jsxs13("button", { type: "button", class: "primary new", onClick: () => location.hash = "#/", children: [
      /* @__PURE__ */ jsx21(Icon, { name: "plus" }),
      sessions2.new
    ] }),
    /* @__PURE__ */ jsx21(SessionList, {}),
    /* @__PURE__ */ jsxs13("div", { class: "rail-links", children: [
      /* @__PURE__ */ jsxs13("a", { ...link2("needs"), children: [
        /* @__PURE__ */ jsx21(Icon, { name: "bell" }),
        words.title,
        count2 > 0 && /* @__PURE__ */ jsx21("span", { class: "badge", "aria-label": words.count(count2), children: count2 })
      ] }),
      /* @__PURE__ */ jsxs13("a", { ...link2("sessions"), children: [
        /* @__PURE__ */ jsx21(Icon, { name: "menu" }),
        sessions2.list
      ] }),
      /* @__PURE__ */ jsxs13("a", { ...link2("settings"), children: [
        /* @__PURE__ */ jsx21(Icon, { name: "settings" }),
        settings.title
      ] }),
      /* @__PURE__ */ jsxs13("button", { type: "button", onClick: () => openDialog({ kind: "shortcuts" }), children: [
        /* @__PURE__ */ jsx21(Icon, { name: "keyboard" }),
        rail.shortcuts
      ] })
    ] }),
    Links && /* @__PURE__ */ jsx21(Links, {})
  ] });
}

// src/main.tsx
import { jsx as jsx22, jsxs as jsxs14 } from "./vendor.js";
function App() {
  switch (access.value) {
    case "starting":
      return null;
    case "unreachable":
      return /* @__PURE__ */ jsxs14("main", { class: "empty", children: [
        /* @__PURE__ */ jsx22("h1", { children: strings.value.page.title }),
        /* @__PURE__ */ jsx22(Problem, {}),
        /* @__PURE__ */ jsx22("button", { type: "button", onClick: () => void connect(), children: strings.value.page.tryAgain }),
        currentCredential() && /* @__PURE__ */ jsx22("button", { type: "button", onClick: () => access.value = "signed_out", children: strings.value.signIn.title })
      ] });
    case "signed_out":
      return /* @__PURE__ */ jsx22(More, { screen: "SignIn", title: strings.value.signIn.title });
    case "open":
      return /* @__PURE__ */ jsx22(Shell, {});
  }
}
var root = document.getElementById("app");
void connect();
await loadTexts().catch(() => {
});
if (root) render(/* @__PURE__ */ jsx22(App, {}), root);
export {
  ApiError,
  Dialog,
  Drawing,
  FILES_DATABASE,
  Highlighted,
  Icon,
  LANGUAGES,
  OPERATOR_SCREENS,
  Problem,
  SEND_KEYS,
  SessionList,
  SessionRow,
  TurnPieces,
  access,
  addressOf,
  badge,
  changed,
  chooseLanguage,
  chooseSendKey,
  client,
  connection,
  copy,
  dialog,
  foldTurn,
  followSession,
  forgetSession,
  formatNumber,
  formatTime,
  hasCredential,
  language,
  listed,
  load,
  loadMe,
  loadMore2 as loadMore,
  loadNeeds,
  loadSessions,
  loadTexts,
  locale,
  maySee,
  me,
  messageOf,
  nameOf,
  needs,
  newKey,
  next,
  noteSession,
  openDialog,
  position,
  prepare,
  problem,
  removing,
  route,
  safeAddress,
  safeImage,
  save,
  saveDraft,
  search,
  searchFor,
  sendKey,
  sessions,
  signIn,
  signOut,
  stateOf,
  strings,
  summary,
  visible,
  waiting,
  withoutUnseen
};
