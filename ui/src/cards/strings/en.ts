import type { Decided } from "../approval/decided";
import type { FieldProblem } from "../question/problems";

/** The texts of this part of the page in English. The other languages have the same keys. */
export const en = {
  tool: {
    arguments: "Arguments",
    result: "Result",
    data: "Data",
    images: "Images",
    error: "Error",
    group: (count: string, states: string) => `${count} tools · ${states}`,
    states: {
      writing: (count: string) => `${count} being prepared`,
      waiting: (count: string) => `${count} waiting for you`,
      running: (count: string) => `${count} running`,
      done: (count: string) => `${count} done`,
      failed: (count: string) => `${count} failed`,
      denied: (count: string) => `${count} denied`,
    },
    shortened: (shown: string, all: string) => `The first ${shown} of ${all} characters`,
    shortenedByServer: "The rest was left out.",
    showAll: "Show all",
    loadFailed: (reason: string) => `The rest could not be loaded: ${reason}`,
    copyValue: (name: string) => `Copy ${name}`,
    items: (count: string) => `${count} items`,
    item: "1 item",
    changed: "A person changed the arguments.",
    child: (agent: string) => `Work of ${agent}`,
    childFailed: (reason: string) => `It could not be loaded: ${reason}`,
    imageFailed: (reason: string) => `The image could not be loaded: ${reason}`,
    download: (name: string) => `Download ${name}`,
    file: "File",
    image: (number: string) => `Image ${number} of the result`,
    rows: (shown: string, all: string) => `The first ${shown} of ${all} rows`,
    sources: "Sources",
  },
  interaction: {
    open: "Open the session",
    approval: (tool: string) => `May ${tool} run?`,
    question: (tool: string) => `Question from ${tool}`,
    outcome: (tool: string) => `Did the call of ${tool} take effect?`,
    outcomeText: "The server stopped while the call ran, and it must not run twice.",
    client: (tool: string) => `${tool} runs in another program`,
    clientText: "The program that offered this tool reports its result.",
    agent: "Agent",
    reason: "Reason",
    /** The reason, from the sentence of the server. */
    because: (sentence: string) => sentence,
    arguments: "Arguments",
    changes: "Changes",
    effect: "Effect",
    expires: (when: string) => `Expires ${when}`,
    expired: "The time to decide has passed.",
    approve: "Approve once",
    approveSession: "Approve in this session",
    approveAlways: "Always approve",
    edit: "Edit",
    discard: "Discard changes",
    editArguments: "Arguments as JSON",
    notJson: "This is not valid JSON.",
    deny: "Deny",
    note: "Note",
    answer: "Answer",
    submit: "Answer",
    decline: "Do not answer",
    json: "Answer as JSON",
    yes: "Yes",
    no: "No",
    choose: "Choose…",
    optional: "optional",
    took: "It took effect",
    tookNot: "It did not",
    retry: "Run it again",
    unknown: "I do not know",
    late: "This was decided elsewhere, or the time to decide has passed.",
    decided: (tool: string, decided: Decided, time: string) => `${tool} ${DECIDED[decided](time)}`,
    problem: (problem: FieldProblem): string => {
      switch (problem.kind) {
        case "missing":
          return "An answer is needed here.";
        case "number":
          return "This is not a number.";
        case "integer":
          return "This is not a whole number.";
        case "least":
          return `Must be at least ${problem.limit}.`;
        case "most":
          return `Must be at most ${problem.limit}.`;
        case "short":
          return `Enter at least ${problem.limit} characters.`;
        case "long":
          return `Enter at most ${problem.limit} characters.`;
        case "json":
          return "This is not valid JSON.";
        case "refused":
          return problem.reason;
      }
    },
  },
};

const DECIDED: Record<Decided, (time: string) => string> = {
  approved: (time) => `was approved elsewhere (${time}).`,
  denied: (time) => `was denied elsewhere (${time}).`,
  answered: (time) => `was answered elsewhere (${time}).`,
  expired: () => "was not decided in time, and did not run.",
  withdrawn: () => "no longer needs a decision: its turn was stopped.",
  other: (time) => `was decided elsewhere (${time}).`,
};

export type CardsStrings = typeof en;
