import { formatBytes } from "../bytes";
import type { Refusal } from "../files/kind";

const KINDS = { image: "an image", document: "a PDF", text: "a text" };

/** The texts of this part of the page in English. The other languages have the same keys. */
export const en = {
  files: {
    title: "Files of the message",
    uploading: "uploading…",
    retry: "Try again",
    remove: (name: string) => `Remove ${name}`,
    failed: (reason: string) => `The upload failed: ${reason}`,
    tooMany: (most: number) => `A message has at most ${most} files.`,
    refused: (refusal: Refusal): string => {
      if (typeof refusal === "object")
        return `Too large: ${KINDS[refusal.tooLarge]} may have ${formatBytes(refusal.limit)}.`;
      if (refusal === "heic") return "Models do not read HEIC and AVIF. Save the image as JPEG or PNG.";
      if (refusal === "svg") return "Models do not see SVG. Save the image as PNG.";
      if (refusal === "empty") return "The file is empty, or it cannot be read.";
      return "Models do not read this kind of file. Use PNG, JPEG, GIF, WebP, PDF or plain text.";
    },
  },
  composer: {
    attach: "Attach files",
    options: "Options",
    undo: (choice: string) => `Remove: ${choice}`,
    thinking: (level: string) => `Thinking: ${level}`,
    levels: { off: "off", low: "low", medium: "medium", high: "high", max: "maximum" },
    noTools: "No tools",
    commands: "Commands",
    drop: "Drop files here",
    aboutFiles: "What should happen with the files?",
    tooLong: "This text has more than 256 KiB, which is too long for a message. It is still on the clipboard.",
  },
  options: {
    title: "For the next messages of this session",
    agent: "Agent",
    model: "Model",
    thinking: "Thinking",
    tools: "Tools",
    asAgent: "As usual",
    withTools: "As usual",
    withoutTools: "Off",
  },
  commands: {
    descriptions: {
      new: "Begin a new session",
      compact: "Have earlier messages summarised",
      export: "Save this session as Markdown",
      rename: "Give this session another title",
      help: "Show the keys of this page",
    },
  },
  sessions: {
    pinned: "Pinned",
    today: "Today",
    yesterday: "Yesterday",
    unread: "New since you looked",
    rename: "Rename",
    renameTitle: "Rename session",
    name: "Title",
    save: "Save",
    delete: "Delete",
    deleted: (title: string) => `“${title}” was deleted.`,
    undo: "Undo",
    more: "More",
    pin: "Pin",
    unpin: "Unpin",
    archive: "Archive",
    unarchive: "Take out of the archive",
    archiveTitle: "Archive",
    archiveEmpty: "The archive is empty.",
    exportMarkdown: "Save as Markdown",
    exportLines: "Save as JSON Lines, to import it again",
    import: "Import a session",
    file: "session",
  },
  keys: {
    control: "Ctrl",
    shift: "Shift",
    message: "In the message",
    send: "Send; while an answer runs, wait for its end",
    steer: "Send into the running answer",
    line: "New line",
    stop: "Stop the answer",
    commands: "Commands",
    page: "Anywhere",
    sessions: "Go to a session",
    new: "New session",
    sheet: "This list",
  },
  notifications: {
    ended: "The answer has ended.",
    needsYou: "A decision waits for you.",
  },
  offline: {
    title: "No model is configured",
    explanation:
      "The offline responder answers: it calculates, knows the time, and repeats everything else. Add these lines to turnkit.toml, and start the server again.",
    vendor: "Vendor",
    other: "Another address",
    address: "Address",
    wire: "Protocol",
    model: "Model",
    key: "Variable with the API key",
    lines: "Lines for turnkit.toml",
  },
  settings: {
    theme: "Colours",
    themes: { auto: "As the system", light: "Light", dark: "Dark" },
    density: "Density",
    densities: { comfortable: "Comfortable", compact: "Compact" },
    language: "Language",
    sendKey: "Send messages with",
    sendKeys: { enter: "Enter", ctrl_enter: "Ctrl-Enter or ⌘-Enter" },
    notifications: "Notify me when an answer ends or needs me while the page is hidden",
    forbidden: "The browser does not permit notifications of this page. Its settings for this site can change that.",
    api: "Addresses of the server",
    native: "API",
    example: "Example of a request",
    build: (build: string) => `Build ${build}`,
    page: "About this page",
    licences: "Licences",
  },
};

export type MoreStrings = typeof en;
