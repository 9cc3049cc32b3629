// src/css/cards.css
var cards_default = '/* What is in the part of the page with the same name, and is loaded with it. */\n\n.tool-progress {\n  flex-basis: 100%;\n  overflow: hidden;\n  padding-inline-start: 1.05rem;\n  text-overflow: ellipsis;\n  white-space: nowrap;\n}\n\n.content-header {\n  display: flex;\n  align-items: center;\n  justify-content: space-between;\n}\n\n.images {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0.5rem;\n}\n\n:is(.call, .images) img {\n  max-inline-size: 100%;\n  max-block-size: 24rem;\n  border-radius: var(--radius);\n}\n\n.table-frame {\n  max-block-size: 24rem;\n  overflow: auto;\n}\n\n.table-frame table {\n  border-collapse: collapse;\n  font-size: 0.9rem;\n}\n\n.table-frame :is(th, td) {\n  padding: 0.25rem 0.6rem;\n  border: 1px solid var(--line);\n  text-align: start;\n}\n\n.table-frame .is-number {\n  text-align: end;\n  font-variant-numeric: tabular-nums;\n}\n\n.sources {\n  padding-inline-start: 1.5rem;\n}\n\n.child-turn {\n  margin-block-start: 0.4rem;\n  padding-inline-start: 0.8rem;\n  border-inline-start: 2px solid var(--line);\n  font-size: 0.95rem;\n}\n\n.approval h2 {\n  font-size: 1rem;\n}\n\n.approval-facts {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0 1.25rem;\n  margin: 0;\n  font-size: 0.9rem;\n}\n\n.approval-facts div {\n  display: flex;\n  gap: 0.4rem;\n}\n\n.approval-facts dt {\n  flex: none;\n  color: var(--text-quiet);\n}\n\n.approval-facts dd {\n  margin: 0;\n}\n\n.approval [aria-invalid="true"] {\n  border-color: var(--error);\n}\n\n.approval fieldset {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0.25rem 1rem;\n  margin: 0;\n  padding: 0;\n  border: 0;\n}\n\n.approval legend {\n  padding: 0;\n  font-size: 0.9rem;\n}\n';

// src/later/styles.ts
function addStyles(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

// src/cards/approval/Approvals.tsx
import { useEffect as useEffect6, useRef as useRef5, useState as useState10 } from "./vendor.js";
import { client as client3 } from "./app.js";

// src/cards/strings/index.ts
import { computed } from "./vendor.js";
import { language } from "./app.js";

// src/cards/strings/reasons.ts
var REASONS = {
  "in the permission mode `plan`, only tools that read may run": "Im Berechtigungsmodus „plan“ dürfen nur lesende Werkzeuge laufen.",
  "in the permission mode `accept_edits`, changes of files need no approval": "Im Berechtigungsmodus „accept_edits“ brauchen Änderungen an Dateien keine Erlaubnis.",
  "the tool is the host's own": "Das Werkzeug gehört zum Programm selbst.",
  "the configuration trusts the tool": "Die Konfiguration vertraut dem Werkzeug.",
  "the tool only reads, and only inside this installation": "Das Werkzeug liest nur, und das nur innerhalb dieser Installation.",
  "no rule matches it, and the tool changes something or reaches other systems": "Keine Regel trifft auf den Aufruf zu, und das Werkzeug ändert etwas oder erreicht andere Systeme.",
  "the model was sent untrusted text, which may have told it to make the call": "Dem Modell lag fremder Text vor, der es zu dem Aufruf verleitet haben kann.",
  "a person granted it by approving an earlier call": "Mit einem früheren Aufruf wurde auch dieser erlaubt.",
  "the definition of the tool has changed since a person granted its calls": "Die Definition des Werkzeugs hat sich geändert, seit seine Aufrufe erlaubt wurden.",
  "the definition of the tool has changed since it was accepted": "Die Definition des Werkzeugs hat sich geändert, seit sie angenommen wurde.",
  "the definition of another tool has changed since it was accepted, and may have told the model to make the call": "Die Definition eines anderen Werkzeugs hat sich geändert, seit sie angenommen wurde. Sie kann das Modell zu dem Aufruf verleitet haben.",
  "in the permission mode `bypass`, calls that need approval run with a notice": "Im Berechtigungsmodus „bypass“ laufen Aufrufe, die eine Erlaubnis brauchen, mit einem Hinweis.",
  "in the permission mode `headless`, calls that need approval are denied": "Im Berechtigungsmodus „headless“ werden Aufrufe abgelehnt, die eine Erlaubnis brauchen.",
  "the server stopped while it ran: it may have taken effect, and must not run twice": "Der Server wurde angehalten, während der Aufruf lief: Er kann gewirkt haben und darf nicht zweimal laufen.",
  "the client runs this tool": "Das Programm, das dieses Werkzeug anbietet, führt es aus.",
  "the tool is gone": "Das Werkzeug gibt es nicht mehr."
};
var WITH_ARGUMENTS = "; it ran with the arguments ";
function reasonInGerman(sentence) {
  const [, rule] = /^rule (\d+) of the configuration asks for approval$/.exec(sentence) ?? [];
  if (rule) return `Regel ${rule} der Konfiguration verlangt eine Erlaubnis.`;
  const [reason = "", ...changed] = sentence.split(WITH_ARGUMENTS);
  const german = REASONS[reason];
  if (german === void 0) return sentence;
  return changed.length > 0 ? `${german} Der Aufruf lief mit den Argumenten ${changed.join(WITH_ARGUMENTS)}` : german;
}

// src/cards/strings/de.ts
var de = {
  tool: {
    arguments: "Argumente",
    result: "Ergebnis",
    data: "Daten",
    images: "Bilder",
    error: "Fehler",
    group: (count2, states) => `${count2} Werkzeuge · ${states}`,
    states: {
      writing: (count2) => `${count2} in Vorbereitung`,
      waiting: (count2) => `${count2} warten auf Sie`,
      running: (count2) => `${count2} laufen`,
      done: (count2) => `${count2} fertig`,
      failed: (count2) => `${count2} fehlgeschlagen`,
      denied: (count2) => `${count2} abgelehnt`
    },
    shortened: (shown, all) => `Die ersten ${shown} von ${all} Zeichen`,
    shortenedByServer: "Der Rest wurde weggelassen.",
    showAll: "Alles anzeigen",
    loadFailed: (reason) => `Der Rest ließ sich nicht laden: ${reason}`,
    copyValue: (name) => `${name} kopieren`,
    items: (count2) => `${count2} Einträge`,
    item: "1 Eintrag",
    changed: "Die Argumente wurden von Hand geändert.",
    child: (agent) => `Arbeit von ${agent}`,
    childFailed: (reason) => `Das ließ sich nicht laden: ${reason}`,
    imageFailed: (reason) => `Das Bild ließ sich nicht laden: ${reason}`,
    download: (name) => `${name} herunterladen`,
    file: "Datei",
    image: (number) => `Bild ${number} des Ergebnisses`,
    rows: (shown, all) => `Die ersten ${shown} von ${all} Zeilen`,
    sources: "Quellen"
  },
  interaction: {
    open: "Unterhaltung öffnen",
    approval: (tool) => `Darf ${tool} ausgeführt werden?`,
    question: (tool) => `Frage von ${tool}`,
    outcome: (tool) => `Hat der Aufruf von ${tool} gewirkt?`,
    outcomeText: "Der Server wurde angehalten, während der Aufruf lief. Zweimal darf er nicht laufen.",
    client: (tool) => `${tool} läuft in einem anderen Programm`,
    clientText: "Das Programm, das dieses Werkzeug anbietet, meldet das Ergebnis.",
    agent: "Agent",
    reason: "Grund",
    because: reasonInGerman,
    arguments: "Argumente",
    changes: "Änderungen",
    effect: "Wirkung",
    expires: (when) => `Läuft ${when} ab`,
    expired: "Die Zeit für diese Entscheidung ist um.",
    approve: "Einmal erlauben",
    approveSession: "In dieser Unterhaltung erlauben",
    approveAlways: "Immer erlauben",
    edit: "Bearbeiten",
    discard: "Änderungen verwerfen",
    editArguments: "Argumente als JSON",
    notJson: "Das ist kein gültiges JSON.",
    deny: "Ablehnen",
    note: "Anmerkung",
    answer: "Antwort",
    submit: "Antworten",
    decline: "Nicht antworten",
    json: "Antwort als JSON",
    yes: "Ja",
    no: "Nein",
    choose: "Auswählen…",
    optional: "optional",
    took: "Er hat gewirkt",
    tookNot: "Er hat nicht gewirkt",
    retry: "Erneut ausführen",
    unknown: "Ich weiß es nicht",
    late: "Das wurde schon woanders entschieden, oder es ist zu spät.",
    decided: (tool, decided, time) => `${tool}: ${DECIDED[decided](time)}`,
    problem: (problem) => {
      switch (problem.kind) {
        case "missing":
          return "Hier fehlt eine Antwort.";
        case "number":
          return "Das ist keine Zahl.";
        case "integer":
          return "Das ist keine ganze Zahl.";
        case "least":
          return `Der kleinste Wert ist ${problem.limit}.`;
        case "most":
          return `Der größte Wert ist ${problem.limit}.`;
        case "short":
          return `Mindestens ${problem.limit} Zeichen sind nötig.`;
        case "long":
          return `Höchstens ${problem.limit} Zeichen sind möglich.`;
        case "json":
          return "Das ist kein gültiges JSON.";
        case "refused":
          return problem.reason;
      }
    }
  }
};
var DECIDED = {
  approved: (time) => `woanders erlaubt (${time}).`,
  denied: (time) => `woanders abgelehnt (${time}).`,
  answered: (time) => `woanders beantwortet (${time}).`,
  expired: () => "nicht rechtzeitig entschieden und nicht ausgeführt.",
  withdrawn: () => "keine Entscheidung mehr nötig, die Antwort wurde gestoppt.",
  other: (time) => `woanders entschieden (${time}).`
};

// src/cards/strings/en.ts
var en = {
  tool: {
    arguments: "Arguments",
    result: "Result",
    data: "Data",
    images: "Images",
    error: "Error",
    group: (count2, states) => `${count2} tools · ${states}`,
    states: {
      writing: (count2) => `${count2} being prepared`,
      waiting: (count2) => `${count2} waiting for you`,
      running: (count2) => `${count2} running`,
      done: (count2) => `${count2} done`,
      failed: (count2) => `${count2} failed`,
      denied: (count2) => `${count2} denied`
    },
    shortened: (shown, all) => `The first ${shown} of ${all} characters`,
    shortenedByServer: "The rest was left out.",
    showAll: "Show all",
    loadFailed: (reason) => `The rest could not be loaded: ${reason}`,
    copyValue: (name) => `Copy ${name}`,
    items: (count2) => `${count2} items`,
    item: "1 item",
    changed: "A person changed the arguments.",
    child: (agent) => `Work of ${agent}`,
    childFailed: (reason) => `It could not be loaded: ${reason}`,
    imageFailed: (reason) => `The image could not be loaded: ${reason}`,
    download: (name) => `Download ${name}`,
    file: "File",
    image: (number) => `Image ${number} of the result`,
    rows: (shown, all) => `The first ${shown} of ${all} rows`,
    sources: "Sources"
  },
  interaction: {
    open: "Open the session",
    approval: (tool) => `May ${tool} run?`,
    question: (tool) => `Question from ${tool}`,
    outcome: (tool) => `Did the call of ${tool} take effect?`,
    outcomeText: "The server stopped while the call ran, and it must not run twice.",
    client: (tool) => `${tool} runs in another program`,
    clientText: "The program that offered this tool reports its result.",
    agent: "Agent",
    reason: "Reason",
    /** The reason, from the sentence of the server. */
    because: (sentence) => sentence,
    arguments: "Arguments",
    changes: "Changes",
    effect: "Effect",
    expires: (when) => `Expires ${when}`,
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
    decided: (tool, decided, time) => `${tool} ${DECIDED2[decided](time)}`,
    problem: (problem) => {
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
    }
  }
};
var DECIDED2 = {
  approved: (time) => `was approved elsewhere (${time}).`,
  denied: (time) => `was denied elsewhere (${time}).`,
  answered: (time) => `was answered elsewhere (${time}).`,
  expired: () => "was not decided in time, and did not run.",
  withdrawn: () => "no longer needs a decision: its turn was stopped.",
  other: (time) => `was decided elsewhere (${time}).`
};

// src/cards/strings/index.ts
var TABLES = { en, de };
var words = computed(() => TABLES[language.value]);

// src/cards/approval/Approval.tsx
import { useRef as useRef3, useState as useState8 } from "./vendor.js";

// src/later/useGuard.ts
import { useEffect, useState } from "./vendor.js";
var GUARD_MS = 300;
function useGuard(arrangement) {
  const [guarded, setGuarded] = useState();
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(arrangement), GUARD_MS);
    return () => clearTimeout(timer);
  }, [arrangement]);
  return guarded !== arrangement;
}

// src/cards/approval/Approval.tsx
import { ApiError, loadNeeds, messageOf } from "./app.js";

// src/cards/question/QuestionForm.tsx
import { useState as useState4 } from "./vendor.js";

// src/later/unsent.ts
import { load, save } from "./app.js";
function loadUnsent(purpose, session, id) {
  try {
    const stored = JSON.parse(load(nameOf(purpose, session, id)) ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}
function saveUnsent(purpose, session, id, fields) {
  const json = JSON.stringify(fields);
  save(nameOf(purpose, session, id), json === "{}" ? void 0 : json);
}
function nameOf(purpose, session, id) {
  return `turnkit.${purpose}.${session}.${id}`;
}

// src/cards/approval/written.ts
function writtenFor({ session_id, id }) {
  const { note, arguments: changed, answer, entries } = loadUnsent("decision", session_id, id);
  return {
    ...typeof note === "string" && { note },
    ...typeof changed === "string" && { arguments: changed },
    ...typeof answer === "string" && { answer },
    ...Array.isArray(entries) && { entries: entries.filter(isEntry) }
  };
}
function keepWritten(interaction, changed) {
  saveUnsent("decision", interaction.session_id, interaction.id, { ...writtenFor(interaction), ...changed });
}
function forgetWritten({ session_id, id }) {
  saveUnsent("decision", session_id, id, {});
}
function isEntry(entry) {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false;
  const value = entry[1];
  if (Array.isArray(value)) return value.every((place) => typeof place === "number");
  return typeof value === "string" || typeof value === "boolean";
}

// src/cards/reveal.ts
import { visible } from "./app.js";
var BLANK = /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\uffff]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;
function reveal(text) {
  return visible(text).replace(BLANK, (character) => {
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

// src/cards/useId.ts
import { useState as useState2 } from "./vendor.js";
var last = 0;
function useId() {
  const [id] = useState2(() => {
    last += 1;
    return `cards-${last}`;
  });
  return id;
}

// src/cards/question/fields.ts
var KNOWN = new Set(
  `$schema title description default type enum const oneOf enumNames minimum maximum exclusiveMinimum exclusiveMaximum
   multipleOf minLength maxLength pattern format items uniqueItems minItems maxItems examples`.split(/\s+/)
);
var KNOWN_OF_OBJECTS = new Set(
  "$schema title description type properties required additionalProperties".split(" ")
);
function formOf(schema) {
  if (!isRecord(schema)) return void 0;
  if (schema.type !== "object") {
    const field = fieldOf("", schema, true);
    return field && { isSingle: true, fields: [field] };
  }
  const { properties, required } = schema;
  if (!isRecord(properties) || !Object.keys(schema).every((keyword) => KNOWN_OF_OBJECTS.has(keyword))) return void 0;
  const names = Array.isArray(required) ? required : [];
  const place = (key) => names.includes(key) ? names.indexOf(key) : names.length;
  const entries = Object.entries(properties).sort(([a], [b]) => place(a) - place(b));
  const fields = entries.map(([key, value]) => {
    return isRecord(value) ? fieldOf(key, value, names.includes(key)) : void 0;
  });
  const hasAll = fields.length > 0 && names.every((name) => typeof name === "string" && name in properties);
  return hasAll && fields.every((field) => field !== void 0) ? { isSingle: false, fields } : void 0;
}
function fieldOf(key, schema, isRequired) {
  if (!Object.keys(schema).every((keyword) => KNOWN.has(keyword))) return void 0;
  const field = {
    key,
    label: textOf(schema.title) || key,
    description: textOf(schema.description),
    isRequired,
    kind: "text",
    choices: choicesOf(schema) ?? [],
    initial: schema.default
  };
  if (field.choices.length > 0) return { ...field, kind: "choice" };
  switch (schema.type) {
    case "string":
      return { ...field, ...limit("shortest", schema.minLength), ...limit("longest", schema.maxLength) };
    case "number":
    case "integer":
      return { ...field, kind: schema.type, ...limit("least", schema.minimum), ...limit("most", schema.maximum) };
    case "boolean":
      return { ...field, kind: "boolean" };
    case "array": {
      const choices = isRecord(schema.items) ? choicesOf(schema.items) : void 0;
      return choices && { ...field, kind: "choices", choices };
    }
    default:
      return void 0;
  }
}
function choicesOf(schema) {
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value, index) => ({ value, label: textOf(names[index]) || labelOf(value) }));
  }
  if (!Array.isArray(schema.oneOf)) return void 0;
  const options = schema.oneOf.filter(isRecord).filter((option) => "const" in option);
  if (options.length !== schema.oneOf.length) return void 0;
  return options.map((option) => ({ value: option.const, label: textOf(option.title) || labelOf(option.const) }));
}
function labelOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
function limit(name, value) {
  return typeof value === "number" ? { [name]: value } : {};
}
function textOf(value) {
  return typeof value === "string" ? value : "";
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/cards/question/SchemaForm.tsx
import { useEffect as useEffect2, useRef, useState as useState3 } from "./vendor.js";

// src/cards/question/answer.ts
function firstEntry({ kind, initial, choices }) {
  const place = (value) => {
    return choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
  };
  switch (kind) {
    case "boolean":
      return initial === true;
    case "choice": {
      const found = initial === void 0 ? -1 : place(initial);
      return found < 0 ? "" : String(found);
    }
    case "choices":
      return Array.isArray(initial) ? initial.map(place).filter((found) => found >= 0) : [];
    default:
      return initial === void 0 || initial === null ? "" : String(initial);
  }
}
function answerOf({ fields, isSingle }, entries) {
  const problems = /* @__PURE__ */ new Map();
  const values = [];
  for (const field of fields) {
    const read = valueOf(field, entries.get(field.key) ?? "");
    if (isProblem(read)) problems.set(field.key, read.problem);
    else if (read.value !== void 0) values.push([field.key, read.value]);
  }
  return { value: isSingle ? values[0]?.[1] : Object.fromEntries(values), problems };
}
function isProblem(read) {
  return "problem" in read;
}
function valueOf(field, entry) {
  if (typeof entry === "boolean") return { value: entry };
  if (Array.isArray(entry)) {
    if (entry.length === 0 && !field.isRequired) return { value: void 0 };
    return { value: entry.map((place) => field.choices[place]?.value) };
  }
  if (entry === "" || entry.trim() === "" && field.kind !== "text") {
    return field.isRequired ? { problem: { kind: "missing" } } : { value: void 0 };
  }
  if (field.kind === "choice") return { value: field.choices[Number(entry)]?.value };
  return field.kind === "text" ? readText(field, entry) : readNumber(field, entry);
}
function readText({ shortest = 0, longest = Number.POSITIVE_INFINITY }, entry) {
  const { length } = [...entry];
  if (length < shortest) return { problem: { kind: "short", limit: String(shortest) } };
  if (length > longest) return { problem: { kind: "long", limit: String(longest) } };
  return { value: entry };
}
function readNumber(field, entry) {
  const { kind, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = field;
  const value = Number(entry.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2"));
  if (!Number.isFinite(value)) return { problem: { kind: "number" } };
  if (kind === "integer" && !Number.isInteger(value)) return { problem: { kind: "integer" } };
  if (value < least) return { problem: { kind: "least", limit: String(least) } };
  if (value > most) return { problem: { kind: "most", limit: String(most) } };
  return { value };
}

// src/cards/question/FieldInput.tsx
import { jsx, jsxs } from "./vendor.js";
var SHOWN_CHOICES = 5;
function FieldInput(props) {
  const { field, problem } = props;
  const id = useId();
  const texts = words.value.interaction;
  const name = field.label === "" ? texts.answer : reveal(field.label);
  const label = field.isRequired || field.kind === "boolean" ? name : `${name} (${texts.optional})`;
  const notes = [field.description && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const described = { "aria-describedby": notes || void 0, "aria-invalid": problem !== void 0 };
  return /* @__PURE__ */ jsxs("div", { class: "field", children: [
    /* @__PURE__ */ jsx(Control, { ...props, id, label, described }),
    field.description && /* @__PURE__ */ jsx("p", { id: `${id}-about`, class: "remark", dir: "auto", children: reveal(field.description) }),
    problem && /* @__PURE__ */ jsx("p", { id: `${id}-problem`, class: "remark error", dir: "auto", children: texts.problem(problem) })
  ] });
}
function Control({ field, entry, change, id, label, described }) {
  if (field.kind === "boolean") {
    return /* @__PURE__ */ jsxs("label", { class: "check", children: [
      /* @__PURE__ */ jsx(
        "input",
        {
          type: "checkbox",
          checked: entry === true,
          onChange: (event) => change(event.currentTarget.checked),
          ...described
        }
      ),
      /* @__PURE__ */ jsx("span", { dir: "auto", children: label })
    ] });
  }
  const isChoice = field.kind === "choice";
  if (field.kind === "choices" || isChoice && field.choices.length <= SHOWN_CHOICES) {
    const chosen = Array.isArray(entry) ? entry : entry === "" ? [] : [Number(entry)];
    const choose = (place, isChosen) => {
      if (isChoice) return change(String(place));
      change(isChosen ? [...chosen, place].sort((a, b) => a - b) : chosen.filter((other) => other !== place));
    };
    return /* @__PURE__ */ jsxs("fieldset", { role: isChoice ? "radiogroup" : void 0, "aria-describedby": described["aria-describedby"], children: [
      /* @__PURE__ */ jsx("legend", { dir: "auto", children: label }),
      field.choices.map((choice, place) => /* @__PURE__ */ jsxs("label", { class: "check", children: [
        /* @__PURE__ */ jsx(
          "input",
          {
            type: isChoice ? "radio" : "checkbox",
            name: id,
            checked: chosen.includes(place),
            onChange: (event) => choose(place, event.currentTarget.checked)
          }
        ),
        /* @__PURE__ */ jsx("span", { dir: "auto", children: reveal(choice.label) })
      ] }, place))
    ] });
  }
  return /* @__PURE__ */ jsxs("label", { class: "note", children: [
    /* @__PURE__ */ jsx("span", { dir: "auto", children: label }),
    isChoice ? /* @__PURE__ */ jsxs("select", { value: String(entry), onChange: (event) => change(event.currentTarget.value), ...described, children: [
      /* @__PURE__ */ jsx("option", { value: "", children: words.value.interaction.choose }),
      field.choices.map((choice, place) => /* @__PURE__ */ jsx("option", { value: String(place), children: reveal(choice.label) }, place))
    ] }) : /* @__PURE__ */ jsx(
      "input",
      {
        type: "text",
        inputMode: field.kind === "integer" ? "numeric" : field.kind === "number" ? "decimal" : void 0,
        dir: "auto",
        value: String(entry),
        onInput: (event) => change(event.currentTarget.value),
        ...described
      }
    )
  ] });
}

// src/cards/question/SchemaForm.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./vendor.js";
function SchemaForm({ interaction, form, isDisabled, refusal, send }) {
  const texts = words.value.interaction;
  const element = useRef(null);
  const [entries, setEntries] = useState3(() => {
    const kept = new Map(writtenFor(interaction).entries);
    const entryOf = (field) => keptOr(firstEntry(field), kept.get(field.key));
    return new Map(form.fields.map((field) => [field.key, entryOf(field)]));
  });
  const [problems, setProblems] = useState3(/* @__PURE__ */ new Map());
  const [attempts, setAttempts] = useState3(0);
  useEffect2(() => {
    const first = '[aria-invalid="true"], .field:has(.error) input';
    if (problems.size > 0) element.current?.querySelector(first)?.focus();
  }, [problems, attempts]);
  useEffect2(() => {
    if (refusal) setProblems(refusedFields(form, refusal));
  }, [form, refusal]);
  const submit = (event) => {
    event.preventDefault();
    const answer = answerOf(form, entries);
    setProblems(answer.problems);
    setAttempts(attempts + 1);
    if (answer.problems.size === 0) void send({ answer: answer.value });
  };
  const change = (key, entry) => {
    const changed = new Map(entries).set(key, entry);
    setEntries(changed);
    keepWritten(interaction, { entries: [...changed] });
    if (!problems.has(key)) return;
    const others = new Map(problems);
    others.delete(key);
    setProblems(others);
  };
  const isUnplaced = refusal !== "" && refusedFields(form, refusal).size === 0;
  return /* @__PURE__ */ jsxs2("form", { ref: element, noValidate: true, onSubmit: submit, children: [
    form.fields.map((field) => /* @__PURE__ */ jsx2(
      FieldInput,
      {
        field,
        entry: entries.get(field.key) ?? "",
        problem: problems.get(field.key),
        change: (entry) => change(field.key, entry)
      },
      field.key
    )),
    isUnplaced && /* @__PURE__ */ jsx2("p", { class: "remark error", role: "alert", dir: "auto", children: reveal(refusal) }),
    /* @__PURE__ */ jsxs2("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx2("button", { class: "primary", disabled: isDisabled, children: texts.submit }),
      /* @__PURE__ */ jsx2("button", { type: "button", disabled: isDisabled, onClick: () => void send({ decision: "deny" }), children: texts.decline })
    ] })
  ] });
}
function keptOr(first, kept) {
  return kept !== void 0 && typeof kept === typeof first ? kept : first;
}
function refusedFields(form, refusal) {
  const [, path = "", reason = ""] = /^answer: (?:[^/]*: )?(?:\/([^:]*): )?(.*)$/s.exec(refusal) ?? [];
  const name = path.split("/")[0] ?? "";
  const field = form.isSingle ? form.fields[0] : form.fields.find(({ key }) => key === name);
  return new Map(field && reason ? [[field.key, { kind: "refused", reason: reveal(reason) }]] : []);
}

// src/cards/question/QuestionForm.tsx
import { Fragment, jsx as jsx3, jsxs as jsxs3 } from "./vendor.js";
function withYesAndNo(form) {
  const { yes, no } = words.value.interaction;
  const choices = [
    { value: true, label: yes },
    { value: false, label: no }
  ];
  const fields = form.fields.map((field) => {
    return field.kind === "boolean" ? { ...field, kind: "choice", choices } : field;
  });
  return form.isSingle ? { ...form, fields } : form;
}
function QuestionForm({ interaction, isDisabled, refusal, send }) {
  const { question } = interaction;
  const schema = question?.schema;
  const [form] = useState4(() => formOf(schema));
  const choices = question?.choices ?? [];
  return /* @__PURE__ */ jsxs3(Fragment, { children: [
    choices.length > 0 && /* @__PURE__ */ jsx3("p", { class: "buttons", children: choices.map((choice) => /* @__PURE__ */ jsx3(
      "button",
      {
        type: "button",
        dir: "auto",
        disabled: isDisabled,
        onClick: () => void send({ answer: answerOfChoice(choice, schema) }),
        children: reveal(choice)
      },
      choice
    )) }),
    form ? /* @__PURE__ */ jsx3(
      SchemaForm,
      {
        interaction,
        form: withYesAndNo(form),
        isDisabled,
        refusal,
        send
      }
    ) : /* @__PURE__ */ jsx3(
      TextForm,
      {
        interaction,
        wantsText: schema === void 0 || schema === null,
        isDisabled,
        refusal,
        send
      }
    )
  ] });
}
function answerOfChoice(choice, schema) {
  const types = typeof schema === "object" && schema !== null && "type" in schema ? [schema.type].flat() : ["string"];
  if (types.includes("string")) return choice;
  try {
    return JSON.parse(choice);
  } catch {
    return choice;
  }
}
function TextForm({ interaction, wantsText, isDisabled, refusal, send }) {
  const texts = words.value.interaction;
  const id = useId();
  const [answer, setAnswer] = useState4(() => writtenFor(interaction).answer ?? "");
  const [isJson, setJson] = useState4(true);
  const [sent, setSent] = useState4();
  const problem = !isJson ? texts.notJson : sent === answer ? refusal.replace(/^answer: /, "") : "";
  const submit = (event) => {
    event.preventDefault();
    setSent(answer);
    try {
      void send({ answer: wantsText ? answer : JSON.parse(answer) });
    } catch {
      setJson(false);
    }
  };
  return /* @__PURE__ */ jsxs3("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs3("label", { class: "note", children: [
      wantsText ? texts.answer : texts.json,
      /* @__PURE__ */ jsx3(
        "textarea",
        {
          rows: wantsText ? 2 : 5,
          class: wantsText ? void 0 : "code",
          dir: "auto",
          "aria-invalid": problem !== "",
          "aria-describedby": problem ? id : void 0,
          value: answer,
          onInput: (event) => {
            setAnswer(event.currentTarget.value);
            keepWritten(interaction, { answer: event.currentTarget.value || void 0 });
            setJson(true);
          }
        }
      )
    ] }),
    problem && /* @__PURE__ */ jsx3("p", { id, class: "remark error", role: "alert", dir: "auto", children: reveal(problem) }),
    /* @__PURE__ */ jsxs3("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx3("button", { class: "primary", disabled: isDisabled || answer.trim() === "", children: texts.submit }),
      /* @__PURE__ */ jsx3("button", { type: "button", disabled: isDisabled, onClick: () => void send({ decision: "deny" }), children: texts.decline })
    ] })
  ] });
}

// src/cards/approval/Buttons.tsx
import { useEffect as useEffect3, useRef as useRef2, useState as useState5 } from "./vendor.js";

// src/later/json.ts
function jsonTokens(json) {
  return json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs);
}
function indent(json) {
  try {
    JSON.parse(json);
  } catch {
    return json;
  }
  let lines = "";
  let depth = 0;
  let last2 = "";
  for (const [token] of jsonTokens(json)) {
    const isClosing = token === "}" || token === "]";
    const isFirst = last2 === "{" || last2 === "[";
    if (isFirst) depth += 1;
    if (isClosing) depth -= 1;
    if (last2 === "," || isFirst !== isClosing) lines += `
${"  ".repeat(depth)}`;
    lines += token === ":" ? ": " : token;
    last2 = token;
  }
  return lines;
}

// src/cards/approval/Buttons.tsx
import { Fragment as Fragment2, jsx as jsx4, jsxs as jsxs4 } from "./vendor.js";
function Buttons(props) {
  const texts = words.value.interaction;
  const { interaction, isDisabled, send } = props;
  const [isEditing, setEditing] = useState5(() => writtenFor(interaction).arguments !== void 0);
  const edit = useRef2(null);
  const choose = (decision, label, style) => /* @__PURE__ */ jsx4("button", { type: "button", class: style, disabled: isDisabled, onClick: () => void send(decision), children: label });
  const discard = () => {
    setEditing(false);
    keepWritten(interaction, { arguments: void 0 });
    setTimeout(() => edit.current?.focus());
  };
  if (interaction.kind === "client_tool") return /* @__PURE__ */ jsx4("p", { class: "buttons", children: choose({ decision: "deny" }, texts.deny) });
  if (interaction.kind === "outcome") {
    return /* @__PURE__ */ jsxs4("p", { class: "buttons", children: [
      choose({ outcome: "done" }, texts.took),
      choose({ outcome: "failed" }, texts.tookNot),
      choose({ outcome: "retry" }, texts.retry),
      choose({ decision: "deny" }, texts.unknown)
    ] });
  }
  if (isEditing) return /* @__PURE__ */ jsx4(Editor, { ...props, discard, deny: choose({ decision: "deny" }, texts.deny) });
  return /* @__PURE__ */ jsxs4("p", { class: "buttons", children: [
    choose({ decision: "approve" }, texts.approve, "primary"),
    choose({ decision: "approve_session" }, texts.approveSession),
    choose({ decision: "approve_always" }, texts.approveAlways),
    /* @__PURE__ */ jsx4("button", { ref: edit, type: "button", disabled: isDisabled, onClick: () => setEditing(true), children: texts.edit }),
    choose({ decision: "deny" }, texts.deny)
  ] });
}
function Editor({ interaction, isDisabled, refusal, send, discard, deny }) {
  const texts = words.value.interaction;
  const id = useId();
  const area = useRef2(null);
  const [kept] = useState5(() => writtenFor(interaction).arguments);
  const [edited, setEdited] = useState5(() => kept ?? indent(interaction.arguments));
  const [isJson, setJson] = useState5(true);
  const [sent, setSent] = useState5();
  const problem = !isJson ? texts.notJson : sent === edited ? refusalOf(refusal) : "";
  useEffect3(() => {
    if (kept === void 0) area.current?.focus();
  }, [kept]);
  useEffect3(() => {
    if (problem) area.current?.focus();
  }, [problem]);
  const approve = () => {
    try {
      JSON.parse(edited);
    } catch {
      return setJson(false);
    }
    setSent(edited);
    void send({ decision: "approve" }, edited);
  };
  return /* @__PURE__ */ jsxs4(Fragment2, { children: [
    /* @__PURE__ */ jsxs4("label", { class: "note", children: [
      texts.editArguments,
      /* @__PURE__ */ jsx4(
        "textarea",
        {
          ref: area,
          class: "code",
          rows: Math.min(16, Math.max(4, edited.split("\n").length)),
          spellcheck: false,
          dir: "ltr",
          "aria-invalid": problem !== "",
          "aria-describedby": problem ? id : void 0,
          value: edited,
          onInput: (event) => {
            setEdited(event.currentTarget.value);
            keepWritten(interaction, { arguments: event.currentTarget.value });
            setJson(true);
          }
        }
      )
    ] }),
    problem && /* @__PURE__ */ jsx4("p", { id, class: "remark error", role: "alert", dir: "auto", children: problem }),
    /* @__PURE__ */ jsxs4("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx4("button", { type: "button", class: "primary", disabled: isDisabled, onClick: approve, children: texts.approve }),
      /* @__PURE__ */ jsx4("button", { type: "button", onClick: discard, children: texts.discard }),
      deny
    ] })
  ] });
}
function refusalOf(message) {
  return reveal(message.replace(/^arguments: (?:invalid arguments: )?/, ""));
}

// src/cards/approval/Explanation.tsx
import { useState as useState7 } from "./vendor.js";

// src/cards/approval/Expiry.tsx
import { useEffect as useEffect4, useState as useState6 } from "./vendor.js";
import { formatTime, locale } from "./app.js";
import { jsx as jsx5 } from "./vendor.js";
var UNITS = [
  ["day", 864e5],
  ["hour", 36e5],
  ["minute", 6e4],
  ["second", 1e3]
];
function Expiry({ at }) {
  const [now, setNow] = useState6(Date.now);
  const left = Date.parse(at) - now;
  const [, step] = unitOf(left);
  useEffect4(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left % step || step, UNITS[1]?.[1] ?? step));
    return () => clearTimeout(timer);
  }, [left, step]);
  const texts = words.value.interaction;
  return /* @__PURE__ */ jsx5("p", { class: "remark", title: formatTime(at), children: left > 0 ? texts.expires(inWords(left)) : texts.expired });
}
function unitOf(left) {
  return UNITS.find(([, ms]) => left >= ms) ?? ["second", 1e3];
}
function inWords(left) {
  const [unit2, ms] = unitOf(left);
  return new Intl.RelativeTimeFormat(locale.value).format(Math.max(1, Math.round(left / ms)), unit2);
}

// src/cards/approval/Preview.tsx
import { jsx as jsx6, jsxs as jsxs5 } from "./vendor.js";
var EDITS = /* @__PURE__ */ new Set(["edit_file", "write_file"]);
function Preview({ tool, text }) {
  const texts = words.value.interaction;
  const [heading = "", ...lines] = text.split("\n");
  const isDifference = EDITS.has(tool) && lines.some((line) => /^[-+]/.test(line));
  return /* @__PURE__ */ jsxs5("div", { class: "preview", children: [
    /* @__PURE__ */ jsx6("p", { class: "label", children: isDifference ? texts.changes : texts.effect }),
    isDifference && /* @__PURE__ */ jsx6("p", { class: "tool-name", dir: "auto", children: reveal(heading) }),
    /* @__PURE__ */ jsx6("pre", { class: isDifference ? "difference" : void 0, tabIndex: 0, dir: "ltr", children: isDifference ? lines.map((line, index) => /* @__PURE__ */ jsx6("span", { class: classOf(line), children: `${reveal(line)}
` }, index)) : reveal(text) })
  ] });
}
function classOf(line) {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "place" : void 0;
}

// src/cards/approval/Explanation.tsx
import { Fragment as Fragment3, jsx as jsx7, jsxs as jsxs6 } from "./vendor.js";
function Explanation({ interaction, agent }) {
  const texts = words.value.interaction;
  const { kind, preview, question, reason } = interaction;
  const isQuestion = kind === "question";
  const [lines] = useState7(() => reveal(indent(interaction.arguments)));
  return /* @__PURE__ */ jsxs6(Fragment3, { children: [
    kind === "outcome" && /* @__PURE__ */ jsx7("p", { children: texts.outcomeText }),
    kind === "client_tool" && /* @__PURE__ */ jsx7("p", { children: texts.clientText }),
    isQuestion && /* @__PURE__ */ jsx7("p", { class: "plain", dir: "auto", children: reveal(question?.text ?? "") }),
    /* @__PURE__ */ jsxs6("dl", { class: "approval-facts", children: [
      /* @__PURE__ */ jsx7(Fact, { name: texts.agent, value: reveal(agent ?? "…") }),
      /* @__PURE__ */ jsx7(Fact, { name: texts.reason, value: isQuestion ? "" : reveal(texts.because(reason)) })
    ] }),
    preview !== void 0 && /* @__PURE__ */ jsx7(Preview, { tool: interaction.name, text: preview }),
    !isQuestion && /* @__PURE__ */ jsxs6("details", { open: preview === void 0, children: [
      /* @__PURE__ */ jsx7("summary", { children: texts.arguments }),
      /* @__PURE__ */ jsx7("pre", { tabIndex: 0, dir: "ltr", children: lines })
    ] }),
    /* @__PURE__ */ jsx7(Expiry, { at: interaction.expires_at })
  ] });
}
function Fact({ name, value }) {
  if (!value) return null;
  return /* @__PURE__ */ jsxs6("div", { children: [
    /* @__PURE__ */ jsx7("dt", { children: name }),
    /* @__PURE__ */ jsx7("dd", { dir: "auto", children: value })
  ] });
}

// src/cards/approval/resolve.ts
import { client } from "./app.js";
async function resolve(interaction, decision, changed) {
  if (changed === void 0) {
    await client.resolve(interaction, decision);
    return;
  }
  const body = `${JSON.stringify(decision).slice(0, -1)},"arguments":${changed}}`;
  await client.send("POST", `api/v1/interactions/${interaction}`, new Blob([body], { type: "application/json" }));
}

// src/cards/approval/Approval.tsx
import { Fragment as Fragment4, jsx as jsx8, jsxs as jsxs7 } from "./vendor.js";
function Approval({ interaction, agent, arrangement, sending, decided, late }) {
  const card = useRef3(null);
  const isGuarded = useGuard(arrangement);
  const [isSending, setSending] = useState8(false);
  const [problem, setProblem] = useState8();
  const [note, setNote] = useState8(() => writtenFor(interaction).note ?? "");
  const send = async (decision, changed) => {
    const hadFocus = card.current?.contains(document.activeElement);
    const around = card.current?.closest("[role=log], main");
    setSending(true);
    sending(true);
    setProblem(void 0);
    try {
      await resolve(interaction.id, note.trim() ? { ...decision, note: note.trim() } : decision, changed);
      forgetWritten(interaction);
      decided();
      if (hadFocus) around?.focus();
    } catch (error) {
      sending(false);
      const isLate = error instanceof ApiError && (error.status === 409 || error.status === 410);
      if (isLate) late();
      setProblem(error instanceof Error ? error : new Error(messageOf(error)));
      setSending(false);
    }
    void loadNeeds().catch(() => {
    });
  };
  const title = titleOf(interaction);
  const isDisabled = isGuarded || isSending;
  const isOfField = problem instanceof ApiError && problem.status === 422;
  return /* @__PURE__ */ jsxs7("div", { ref: card, class: "approval", role: "group", "aria-label": title, children: [
    /* @__PURE__ */ jsx8("h2", { children: title }),
    /* @__PURE__ */ jsx8(Explanation, { interaction, agent }),
    interaction.kind === "question" ? /* @__PURE__ */ jsx8(
      QuestionForm,
      {
        interaction,
        isDisabled,
        refusal: isOfField ? problem.message : "",
        send
      }
    ) : /* @__PURE__ */ jsxs7(Fragment4, { children: [
      /* @__PURE__ */ jsxs7("label", { class: "note", children: [
        words.value.interaction.note,
        /* @__PURE__ */ jsx8(
          "input",
          {
            type: "text",
            value: note,
            maxLength: 4096,
            dir: "auto",
            onInput: (event) => {
              setNote(event.currentTarget.value);
              keepWritten(interaction, { note: event.currentTarget.value || void 0 });
            }
          }
        )
      ] }),
      /* @__PURE__ */ jsx8(
        Buttons,
        {
          interaction,
          isDisabled,
          refusal: isOfField && problem.field === "arguments" ? problem.message : "",
          send
        }
      )
    ] }),
    problem && !isOfField && /* @__PURE__ */ jsx8("p", { class: "remark error", role: "alert", children: problem.message })
  ] });
}
function titleOf({ kind, name }) {
  const { approval, question, outcome, client: client7 } = words.value.interaction;
  const tool = reveal(name);
  if (kind === "question") return question(tool);
  if (kind === "outcome") return outcome(tool);
  return kind === "client_tool" ? client7(tool) : approval(tool);
}

// src/cards/approval/decided.ts
import { formatTime as formatTime2 } from "./app.js";
function kindOf({ decision, by }) {
  if (decision === "approved" || decision === "answered") return decision;
  if (decision !== "denied") return "other";
  if (by === "expired") return "expired";
  return by === void 0 || by === "person" ? "denied" : "withdrawn";
}
function sentenceOf({ name, decided }) {
  const texts = words.value.interaction;
  if (!decided) return texts.late;
  return texts.decided(reveal(name), kindOf(decided), formatTime2(decided.at));
}
function isElsewhere({ decided }) {
  return Boolean(decided) && kindOf(decided) !== "withdrawn";
}

// src/cards/approval/useAgents.ts
import { useEffect as useEffect5, useRef as useRef4, useState as useState9 } from "./vendor.js";
import { client as client2, connection } from "./app.js";
function useAgents(turns) {
  const [agents, setAgents] = useState9(/* @__PURE__ */ new Map());
  const asked = useRef4(/* @__PURE__ */ new Set());
  useEffect5(() => {
    const ask = async (turn) => {
      const response = await client2.send("GET", `api/v1/turns/${turn}`);
      const { agent } = await response.json();
      setAgents((known) => new Map(known).set(turn, agent));
    };
    for (const turn of turns.filter((turn2) => !asked.current.has(turn2))) {
      asked.current.add(turn);
      void ask(turn).catch(() => asked.current.delete(turn));
    }
  }, [turns.join(" "), connection.value === "open"]);
  return agents;
}

// src/cards/approval/Approvals.tsx
import { Fragment as Fragment5, jsx as jsx9, jsxs as jsxs8 } from "./vendor.js";
function Approvals({ pending, decided, addressOf }) {
  const own = useRef5(/* @__PURE__ */ new Set());
  const { elsewhere, ask } = useDecidedElsewhere(pending, own.current);
  const note = (id, isSending) => {
    if (isSending) own.current.add(id);
    else own.current.delete(id);
  };
  const late = (interaction) => {
    decided(interaction);
    ask(interaction.id, () => true);
  };
  const agents = useAgents(pending.map(({ turn_id }) => turn_id));
  const sentences = elsewhere.map(({ id }) => id);
  const cards = pending.map(({ id, turn_id }) => [id, agents.get(turn_id)]);
  const arrangement = JSON.stringify([sentences, cards]);
  return /* @__PURE__ */ jsxs8(Fragment5, { children: [
    elsewhere.map((interaction) => /* @__PURE__ */ jsx9("p", { class: "remark decided", role: "status", dir: "auto", children: sentenceOf(interaction) }, interaction.id)),
    pending.map((interaction) => /* @__PURE__ */ jsxs8("div", { class: "pending", children: [
      /* @__PURE__ */ jsx9(
        Approval,
        {
          interaction,
          agent: agents.get(interaction.turn_id),
          arrangement,
          sending: (isSending) => note(interaction.id, isSending),
          decided: () => decided(interaction),
          late: () => late(interaction)
        }
      ),
      addressOf && /* @__PURE__ */ jsx9("a", { href: addressOf(interaction.session_id), children: words.value.interaction.open })
    ] }, interaction.id))
  ] });
}
function useDecidedElsewhere(pending, own) {
  const [elsewhere, setElsewhere] = useState10([]);
  const before = useRef5(pending);
  const isMounted = useRef5(true);
  useEffect6(
    () => () => {
      isMounted.current = false;
    },
    []
  );
  const ask = (id, isOfInterest = isElsewhere) => {
    const show = (interaction) => {
      if (!isMounted.current || !isOfInterest(interaction)) return;
      setElsewhere((others) => [...others.filter((other) => other.id !== id), interaction]);
    };
    void client3.send("GET", `api/v1/interactions/${id}`).then((response) => response.json()).then(show, () => {
    });
  };
  useEffect6(() => {
    const left = before.current.filter(({ id }) => !own.has(id) && !pending.some((other) => other.id === id));
    const hasNew = pending.some(({ id }) => !before.current.some((other) => other.id === id));
    before.current = pending;
    if (hasNew) setElsewhere([]);
    for (const { id } of left) ask(id);
  }, [pending, own]);
  return { elsewhere, ask };
}

// src/cards/files/Attachments.tsx
import { formatNumber as formatNumber4, strings as strings6 } from "./app.js";

// src/cards/data/FileLink.tsx
import { useState as useState11 } from "./vendor.js";

// src/later/download.ts
var SAVED_MS = 6e4;
function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}

// src/later/file.ts
import { client as client4 } from "./app.js";
async function loadFile(url) {
  const head = /^data:[^,]*;base64,/i.exec(url)?.[0];
  if (head) return new Blob([Uint8Array.from(atob(url.slice(head.length)), (byte) => byte.charCodeAt(0))]);
  const id = /^blob:([\w-]+)$/.exec(url)?.[1];
  if (!id) throw new Error(url);
  const response = await client4.send("GET", `api/v1/blobs/${id}`);
  return response.blob();
}

// src/cards/data/FileLink.tsx
import { messageOf as messageOf2, withoutUnseen } from "./app.js";
import { jsx as jsx10, jsxs as jsxs9 } from "./vendor.js";
function FileLink({ url, name }) {
  return /* @__PURE__ */ jsx10(SaveButton, { name, load: () => loadFile(url) });
}
function SaveButton({ name, load: load3 }) {
  const [problem, setProblem] = useState11("");
  const { tool } = words.value;
  const safeName = withoutUnseen(name).replace(/[\\/]/g, "_") || tool.file;
  const save2 = () => {
    setProblem("");
    load3().then(
      (blob) => download(safeName, new Blob([blob], { type: "application/octet-stream" })),
      (error) => setProblem(messageOf2(error))
    );
  };
  return /* @__PURE__ */ jsxs9("div", { children: [
    /* @__PURE__ */ jsx10("button", { type: "button", onClick: save2, children: tool.download(safeName) }),
    problem && /* @__PURE__ */ jsx10("p", { class: "remark error", role: "alert", children: problem })
  ] });
}

// src/cards/files/AnswerImage.tsx
import { useEffect as useEffect8, useState as useState13 } from "./vendor.js";

// src/later/wholeText.ts
import {
  client as client5,
  strings
} from "./app.js";
var CUT_BYTES = 64 * 1024;
var LONGEST_CHARACTER = 4;
function isCut(view, part) {
  if ("part_id" in part) return part.more ?? false;
  if (!view.more || !("text" in part)) return false;
  return new TextEncoder().encode(part.text).length > CUT_BYTES - LONGEST_CHARACTER;
}
async function loadWhole(view, part, signal) {
  if ("part_id" in part) return (await loadPart(view.turn_id, part.part_id, signal)).part.text;
  const { parts } = await get(`turns/${view.turn_id}/input`, signal);
  const whole = parts.map((other) => wholeOf(part, other)).find((text) => text !== void 0);
  if (whole === void 0) throw new Error(strings.peek().page.notFound);
  return whole;
}
function loadPart(turn, part, signal) {
  return get(`turns/${turn}/parts/${part}`, signal);
}
async function get(path, signal) {
  const response = await client5.send("GET", `api/v1/${path}`, void 0, signal);
  return await response.json();
}
function wholeOf(cut, part) {
  if (part.type !== cut.type || !("text" in part) || !("text" in cut)) return void 0;
  return part.text.startsWith(cut.text) ? part.text : void 0;
}

// src/cards/files/AnswerImage.tsx
import { messageOf as messageOf4, strings as strings4 } from "./app.js";

// src/cards/files/Picture.tsx
import { safeAddress, safeImage, strings as strings3 } from "./app.js";

// src/cards/data/blob.ts
import { useEffect as useEffect7, useState as useState12 } from "./vendor.js";
import { messageOf as messageOf3 } from "./app.js";
var SHOWN = /* @__PURE__ */ new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
function isShown(mediaType) {
  return SHOWN.has(mediaType);
}
function useImage(url, mediaType) {
  const [loaded, setLoaded] = useState12({});
  useEffect7(() => {
    let address;
    let isGone = false;
    loadFile(url).then(
      (blob) => {
        if (isGone) return;
        address = URL.createObjectURL(new Blob([blob], { type: mediaType }));
        setLoaded({ address });
      },
      (error) => setLoaded({ problem: messageOf3(error) })
    );
    return () => {
      isGone = true;
      if (address) URL.revokeObjectURL(address);
    };
  }, [url, mediaType]);
  return loaded;
}

// src/cards/data/Images.tsx
import { formatNumber, strings as strings2 } from "./app.js";
import { jsx as jsx11, jsxs as jsxs10 } from "./vendor.js";
function Images({ images }) {
  const { tool } = words.value;
  return /* @__PURE__ */ jsxs10("section", { children: [
    /* @__PURE__ */ jsx11("p", { class: "label", children: tool.images }),
    /* @__PURE__ */ jsx11("div", { class: "images", children: images.map((image, index) => {
      const name = tool.image(formatNumber(index + 1));
      return isShown(image.media_type) ? /* @__PURE__ */ jsx11(BlobImage, { url: image.url, mediaType: image.media_type, name }, index) : /* @__PURE__ */ jsx11(FileLink, { url: image.url, name }, index);
    }) })
  ] });
}
function BlobImage({ url, mediaType, name }) {
  const { address, problem } = useImage(url, mediaType);
  if (problem) return /* @__PURE__ */ jsx11("p", { class: "remark error", children: words.value.tool.imageFailed(problem) });
  return address ? /* @__PURE__ */ jsx11("img", { src: address, alt: name }) : /* @__PURE__ */ jsx11("p", { class: "remark", children: strings2.value.page.loading });
}

// src/cards/files/Picture.tsx
import { jsx as jsx12, jsxs as jsxs11 } from "./vendor.js";
function Picture({ url, mediaType, name }) {
  const inside = safeImage(url);
  if (inside) {
    return /* @__PURE__ */ jsxs11("div", { children: [
      /* @__PURE__ */ jsx12("img", { src: inside, alt: name }),
      /* @__PURE__ */ jsx12(FileLink, { url: inside, name: fileName(name, inside.slice("data:".length)) })
    ] });
  }
  if (url.startsWith("blob:")) {
    const file = /* @__PURE__ */ jsx12(FileLink, { url, name: fileName(name, mediaType) });
    if (!isShown(mediaType)) return file;
    return /* @__PURE__ */ jsxs11("div", { children: [
      /* @__PURE__ */ jsx12(BlobImage, { url, mediaType, name }),
      file
    ] });
  }
  const address = safeAddress(url);
  if (!address) return /* @__PURE__ */ jsx12("span", { class: "chip", children: name });
  return /* @__PURE__ */ jsx12("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank", title: address, children: strings3.value.chat.externalImage(new URL(address).host) });
}
function fileName(name, mediaType) {
  const ending = /^image\/(\w+)/.exec(mediaType)?.[1];
  return ending ? `${name}.${ending}` : name;
}

// src/cards/files/AnswerImage.tsx
import { jsx as jsx13 } from "./vendor.js";
function AnswerImage({ view, part, name }) {
  const [whole, setWhole] = useState13();
  const [problem, setProblem] = useState13("");
  const { part_id, more } = part;
  useEffect8(() => {
    if (!more) return;
    const stopped = new AbortController();
    loadWhole(view, part, stopped.signal).then(setWhole, (error) => {
      if (!stopped.signal.aborted) setProblem(messageOf4(error));
    });
    return () => stopped.abort();
  }, [view.turn_id, part_id, more]);
  const url = more ? whole : part.text;
  if (problem) return /* @__PURE__ */ jsx13("p", { class: "remark error", children: words.value.tool.imageFailed(problem) });
  if (url === void 0 || !(part.ended || view.status)) return /* @__PURE__ */ jsx13("p", { class: "remark", children: strings4.value.page.loading });
  return /* @__PURE__ */ jsx13(Picture, { url, mediaType: "", name });
}

// src/cards/files/TextFile.tsx
import { useState as useState17 } from "./vendor.js";

// src/cards/Content.tsx
import { useRef as useRef6, useState as useState16 } from "./vendor.js";

// src/later/CopyButton.tsx
import { useEffect as useEffect9, useState as useState14 } from "./vendor.js";
import { copy, strings as strings5 } from "./app.js";
import { jsx as jsx14 } from "./vendor.js";
var SAID_MS = 2e3;
function CopyButton({ text, name, failed }) {
  const [hasCopied, setCopied] = useState14(false);
  useEffect9(() => {
    if (!hasCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [hasCopied]);
  const click = () => {
    const copied = typeof text === "string" ? copy(text) : text().then(copy);
    copied.then(setCopied, failed);
  };
  return /* @__PURE__ */ jsx14("button", { type: "button", class: "quiet", onClick: click, children: hasCopied ? strings5.value.chat.copied : name ?? strings5.value.chat.copy });
}

// src/cards/Content.tsx
import { formatNumber as formatNumber3, messageOf as messageOf5 } from "./app.js";

// src/cards/tree/parse.ts
var DEEPEST = 100;
function parseContainer(text) {
  if (!/^\s*[[{]/.test(text)) return void 0;
  try {
    JSON.parse(text);
    return new Reader(text).read();
  } catch {
    return void 0;
  }
}
var Reader = class {
  #text;
  #tokens;
  constructor(text) {
    this.#text = text;
    this.#tokens = jsonTokens(text);
  }
  read() {
    return this.#value(this.#next(), 0);
  }
  #next() {
    const { value, done } = this.#tokens.next();
    if (done) throw new SyntaxError("the text has ended");
    return value;
  }
  #value(token, depth) {
    if (depth > DEEPEST) throw new RangeError("the value is nested too deep");
    const [raw] = token;
    if (raw === "{") return this.#members(token, "}", depth);
    if (raw === "[") return this.#members(token, "]", depth);
    return raw.startsWith('"') ? { raw, string: JSON.parse(raw) } : { raw };
  }
  #members(first, last2, depth) {
    const children = [];
    let token = this.#next();
    while (token[0] !== last2) {
      if (token[0] === ",") token = this.#next();
      let key = String(children.length);
      if (last2 === "}") {
        key = JSON.parse(token[0]);
        this.#next();
        token = this.#next();
      }
      children.push({ ...this.#value(token, depth + 1), key });
      token = this.#next();
    }
    return { raw: this.#text.slice(first.index, token.index + 1), children, isArray: last2 === "]" };
  }
};
function countValues(node, limit2) {
  let count2 = 1;
  for (const child of node.children ?? []) {
    if (count2 >= limit2) return limit2;
    count2 += countValues(child, limit2 - count2);
  }
  return count2;
}

// src/cards/tree/Tree.tsx
import { useState as useState15 } from "./vendor.js";
import { copy as copy2, formatNumber as formatNumber2 } from "./app.js";

// src/cards/Symbol.tsx
import { jsx as jsx15 } from "./vendor.js";
var PATHS = {
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  copied: "M5 12.5l4.5 4.5L19 7.5",
  open: "M9 6l6 6-6 6"
};
function Symbol({ name }) {
  return /* @__PURE__ */ jsx15("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ jsx15("path", { d: PATHS[name] }) });
}

// src/cards/tree/keys.ts
function keyPressed(event, toggle) {
  const tree = event.currentTarget;
  const item = event.target.closest("[role=treeitem]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = actionOf(event.key, tree, item);
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  if (action === "toggle") toggle(item.dataset.path ?? "");
  else if (action !== "stay") action.focus();
}
function actionOf(key, tree, item) {
  const items = [...tree.querySelectorAll("[role=treeitem]")];
  const place = items.indexOf(item);
  const expanded = item.getAttribute("aria-expanded");
  switch (key) {
    case "ArrowDown":
      return items[place + 1] ?? "stay";
    case "ArrowUp":
      return items[place - 1] ?? "stay";
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    case "ArrowRight":
      if (expanded === "false") return "toggle";
      return expanded === "true" ? items[place + 1] : "stay";
    case "ArrowLeft":
      if (expanded === "true") return "toggle";
      return item.parentElement?.closest("[role=treeitem]") ?? "stay";
    default:
      return void 0;
  }
}

// src/cards/tree/Tree.tsx
import { Fragment as Fragment6, jsx as jsx16, jsxs as jsxs12 } from "./vendor.js";
var OPEN_VALUES = 60;
function Tree({ root, label, limit: limit2, cut }) {
  const [isOpenAtFirst] = useState15(() => countValues(root, OPEN_VALUES + 1) <= OPEN_VALUES);
  const [toggled, setToggled] = useState15(/* @__PURE__ */ new Set());
  const [active, setActive] = useState15("0");
  let left = limit2;
  let isCut2 = false;
  const toggle = (path) => {
    const changed = new Set(toggled);
    if (!changed.delete(path)) changed.add(path);
    setToggled(changed);
  };
  const items = (node, above) => {
    const shown = [];
    for (const [index, child] of (node.children ?? []).entries()) {
      if (left <= 0) {
        isCut2 = true;
        break;
      }
      const path = `${above}${index}`;
      const isOpen = isOpenAtFirst !== toggled.has(path);
      left -= (child.key?.length ?? 0) + (child.children ? 1 : Math.min(left, child.raw.length));
      const text = child.string ?? child.raw;
      const isValueCut = !child.children && left <= 0 && text.length > limit2;
      isCut2 ||= isValueCut;
      shown.push(
        /* @__PURE__ */ jsx16(
          Item,
          {
            path,
            node: child,
            text: isValueCut ? `${text.slice(0, limit2)}…` : text,
            isActive: active === path,
            isOpen,
            toggle: () => toggle(path),
            children: child.children && isOpen && items(child, `${path}.`)
          },
          path
        )
      );
    }
    return shown;
  };
  return /* @__PURE__ */ jsxs12(Fragment6, { children: [
    /* @__PURE__ */ jsx16(
      "ul",
      {
        class: "tree",
        role: "tree",
        "aria-label": label,
        onFocusIn: (event) => setActive(pathOf(event.target) ?? active),
        onKeyDown: (event) => keyPressed(event, toggle),
        children: items(root, "")
      }
    ),
    isCut2 && cut()
  ] });
}
function pathOf(element) {
  return element.closest("[data-path]")?.dataset.path;
}
function Item({ path, node, text, isActive, isOpen, toggle, children }) {
  const isContainer = node.children !== void 0 && node.children.length > 0;
  return /* @__PURE__ */ jsxs12(
    "li",
    {
      role: "treeitem",
      "data-path": path,
      tabIndex: isActive ? 0 : -1,
      "aria-expanded": isContainer ? isOpen : void 0,
      children: [
        /* @__PURE__ */ jsxs12("div", { class: "tree-row", children: [
          isContainer ? /* @__PURE__ */ jsx16("button", { type: "button", class: "tree-toggle", tabIndex: -1, "aria-hidden": "true", onClick: toggle, children: /* @__PURE__ */ jsx16(Symbol, { name: "open" }) }) : /* @__PURE__ */ jsx16("span", { class: "tree-toggle" }),
          /* @__PURE__ */ jsx16("span", { class: "tree-key", dir: "auto", children: reveal(node.key ?? "") }),
          /* @__PURE__ */ jsx16(Value, { node, text }),
          /* @__PURE__ */ jsx16(CopyValue, { name: reveal(node.key ?? ""), node, isActive })
        ] }),
        isContainer && isOpen && /* @__PURE__ */ jsx16("ul", { role: "group", children })
      ]
    }
  );
}
function Value({ node, text }) {
  const { items, item } = words.value.tool;
  if (node.children) {
    const { length } = node.children;
    const empty = node.isArray ? "[ ]" : "{ }";
    return /* @__PURE__ */ jsx16("span", { class: "tree-size", children: length === 0 ? empty : length === 1 ? item : items(formatNumber2(length)) });
  }
  return /* @__PURE__ */ jsx16("span", { class: `tree-value ${node.string === void 0 ? "is-literal" : "is-string"}`, dir: "auto", children: node.string === void 0 ? text : `"${reveal(text)}"` });
}
function CopyValue({ name, node, isActive }) {
  const [hasCopied, setCopied] = useState15(false);
  return /* @__PURE__ */ jsx16(
    "button",
    {
      type: "button",
      class: "tree-copy",
      tabIndex: isActive ? 0 : -1,
      "aria-label": words.value.tool.copyValue(name),
      onClick: () => void copy2(textOf2(node)).then(setCopied),
      onBlur: () => setCopied(false),
      children: /* @__PURE__ */ jsx16(Symbol, { name: hasCopied ? "copied" : "copy" })
    }
  );
}
function textOf2(node) {
  return node.string ?? (node.children ? indent(node.raw) : node.raw);
}

// src/cards/Content.tsx
import { jsx as jsx17, jsxs as jsxs13 } from "./vendor.js";
var SHOWN2 = 2e4;
function Content({ title, text, load: load3 }) {
  const [isWhole, setWhole] = useState16(false);
  const [problem, setProblem] = useState16("");
  const root = useContainer(text);
  const limit2 = isWhole ? Number.POSITIVE_INFINITY : SHOWN2;
  const tool = words.value.tool;
  const fail = (error) => setProblem(tool.loadFailed(messageOf5(error)));
  const showAll = async () => {
    setProblem("");
    try {
      await load3?.();
      setWhole(true);
    } catch (error) {
      fail(error);
    }
  };
  const loadToCopy = load3 && (() => {
    setProblem("");
    return load3();
  });
  const cut = () => /* @__PURE__ */ jsxs13("p", { class: "remark", children: [
    load3 ? tool.shortenedByServer : tool.shortened(formatNumber3(SHOWN2), formatNumber3(text.length)),
    " ",
    /* @__PURE__ */ jsx17("button", { type: "button", class: "quiet", onClick: () => void showAll(), children: tool.showAll })
  ] });
  const isCut2 = load3 !== void 0 || text.length > limit2;
  return /* @__PURE__ */ jsxs13("section", { children: [
    /* @__PURE__ */ jsxs13("header", { class: "content-header", children: [
      /* @__PURE__ */ jsx17("p", { class: "label", children: title }),
      /* @__PURE__ */ jsx17(CopyButton, { text: loadToCopy ?? text, failed: fail })
    ] }),
    root?.children?.length ? /* @__PURE__ */ jsx17(Tree, { root, label: title, limit: limit2, cut }) : /* @__PURE__ */ jsx17("pre", { tabIndex: 0, dir: "auto", children: reveal(text.length > limit2 ? text.slice(0, limit2) : text) }),
    !root?.children?.length && isCut2 && cut(),
    problem && /* @__PURE__ */ jsx17("p", { class: "remark error", role: "alert", children: problem })
  ] });
}
function useContainer(text) {
  const read = useRef6(void 0);
  if (read.current?.text !== text) read.current = { text, root: parseContainer(text) };
  return read.current.root;
}

// src/cards/files/TextFile.tsx
import { jsx as jsx18, jsxs as jsxs14 } from "./vendor.js";
function TextFile({ view, part }) {
  const [isOpen, setOpen] = useState17(false);
  return /* @__PURE__ */ jsxs14("details", { class: "call", onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsx18("summary", { dir: "auto", children: reveal(part.source) }),
    isOpen && /* @__PURE__ */ jsx18(Body, { view, part })
  ] });
}
function Body({ view, part }) {
  const [loaded, setLoaded] = useState17();
  const lacksRest = loaded === void 0 && isCut(view, part);
  const load3 = async () => {
    const whole = lacksRest ? await loadWhole(view, part) : loaded ?? part.text;
    if (lacksRest) setLoaded(whole);
    return whole;
  };
  return /* @__PURE__ */ jsxs14("div", { class: "tool-body", children: [
    /* @__PURE__ */ jsx18(Content, { title: reveal(part.source), text: loaded ?? part.text, load: lacksRest ? load3 : void 0 }),
    /* @__PURE__ */ jsx18(SaveButton, { name: part.source, load: async () => new Blob([await load3()]) })
  ] });
}

// src/cards/files/Attachments.tsx
import { jsx as jsx19 } from "./vendor.js";
function Attachments({ view, parts }) {
  return /* @__PURE__ */ jsx19("div", { class: "images", children: parts.map((part, index) => /* @__PURE__ */ jsx19(Attachment, { view, parts, part }, index)) });
}
function Attachment({ view, parts, part }) {
  if ("part_id" in part) {
    return /* @__PURE__ */ jsx19(AnswerImage, { view, part, name: imageName(view.parts, part) });
  }
  switch (part.type) {
    case "image":
      return /* @__PURE__ */ jsx19(Picture, { url: part.url, mediaType: part.media_type, name: imageName(parts, part) });
    case "file":
      return /* @__PURE__ */ jsx19(FileLink, { url: part.url, name: part.name || words.value.tool.file });
    case "context":
      return /* @__PURE__ */ jsx19(TextFile, { view, part });
    default:
      return null;
  }
}
function imageName(parts, part) {
  const number = parts.filter(({ type }) => type === "image").indexOf(part) + 1;
  return `${strings6.value.chat.image} ${formatNumber4(number)}`;
}

// src/cards/ToolCalls.tsx
import { formatNumber as formatNumber6, stateOf as stateOf2 } from "./app.js";

// src/cards/ToolCard.tsx
import { useState as useState21 } from "./vendor.js";

// src/later/duration.ts
import { locale as locale2 } from "./app.js";
var SECOND = 1e3;
var MINUTE = 60;
var HOUR = 60 * MINUTE;
var DAY = 24 * HOUR;
function formatSpan(milliseconds) {
  const whole = Math.round(milliseconds);
  if (whole < SECOND) return unit(whole, "millisecond");
  const tenths = Math.round(whole / 100) / 10;
  if (tenths < MINUTE) return unit(tenths, "second");
  const seconds = Math.round(whole / SECOND);
  if (seconds < HOUR) return both(seconds, MINUTE, "minute", "second");
  const minutes = Math.round(seconds / MINUTE);
  if (minutes * MINUTE < DAY) return both(minutes, HOUR / MINUTE, "hour", "minute");
  return both(Math.round(seconds / HOUR), DAY / HOUR, "day", "hour");
}
function both(value, size, larger, smaller) {
  const rest = value % size;
  const whole = unit(Math.floor(value / size), larger);
  return rest === 0 ? whole : `${whole} ${unit(rest, smaller)}`;
}
function unit(value, name) {
  const unitDisplay = name === "day" ? "long" : "short";
  const options = { style: "unit", unit: name, unitDisplay, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(locale2.value, options).format(value).replace(" ", " ");
}

// src/cards/ToolCard.tsx
import {
  position,
  stateOf,
  strings as strings9
} from "./app.js";

// src/cards/ChildTurn.tsx
import { useEffect as useEffect10, useState as useState18 } from "./vendor.js";
import {
  connection as connection2,
  messageOf as messageOf6,
  strings as strings8,
  TurnPieces
} from "./app.js";

// src/cards/followChild.ts
import {
  client as client6,
  followSession,
  foldTurn,
  strings as strings7
} from "./app.js";
async function followChild(turn, show, signal) {
  const { session, stored } = await load2(turn, signal);
  let view = stored;
  show(view);
  if (view.status || signal.aborted) return;
  await new Promise((ended, refused) => {
    const unfollow = followSession(session, {
      events: (events) => {
        const before = view;
        view = events.reduce(applied, before);
        if (view !== before) show(view);
        if (view.status) end();
      },
      ended: refused
    });
    const end = () => {
      unfollow();
      ended();
    };
    signal.addEventListener("abort", end);
  });
}
async function load2(turn, signal) {
  const get2 = async (path) => (await client6.send("GET", `api/v1/${path}`, void 0, signal)).json();
  const { session_id: session } = await get2(`turns/${turn}`);
  const { data } = await get2(`sessions/${session}/turns?around=${turn}&limit=1`);
  const stored = data.find(({ turn_id }) => turn_id === turn);
  if (!stored) throw new Error(strings7.peek().page.notFound);
  return { session, stored };
}
function applied(view, { event, data }) {
  if (event === "resync") return data.turns.data.find(({ turn_id: turn_id2 }) => turn_id2 === view.turn_id) ?? view;
  const { turn_id, seq } = data;
  return turn_id === view.turn_id && seq !== void 0 ? foldTurn(view, event, data) : view;
}

// src/cards/ChildTurn.tsx
import { jsx as jsx20, jsxs as jsxs15 } from "./vendor.js";
function ChildTurn({ conversation, child }) {
  const [isOpen, setOpen] = useState18(false);
  return /* @__PURE__ */ jsxs15("details", { class: "child-turn", onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsx20("summary", { children: words.value.tool.child(reveal(child.agent)) }),
    isOpen && /* @__PURE__ */ jsx20("div", { class: "child-turn-content", children: /* @__PURE__ */ jsx20(Loaded, { conversation, turn: child.turn_id }) })
  ] });
}
function Loaded({ conversation, turn }) {
  const [view, setView] = useState18();
  const [problem, setProblem] = useState18();
  const isAway = problem !== void 0 && connection2.value !== "open";
  useEffect10(() => {
    if (isAway) return;
    const stopped = new AbortController();
    setProblem(void 0);
    followChild(turn, setView, stopped.signal).catch((error) => {
      if (!stopped.signal.aborted) setProblem(error);
    });
    return () => stopped.abort();
  }, [turn, isAway]);
  if (problem !== void 0) {
    return /* @__PURE__ */ jsx20("p", { class: "remark error", role: "alert", children: words.value.tool.childFailed(messageOf6(problem) || strings8.value.page.notFound) });
  }
  if (!view) return /* @__PURE__ */ jsx20("p", { class: "remark", children: strings8.value.page.loading });
  return /* @__PURE__ */ jsx20(TurnPieces, { conversation, view });
}

// src/cards/data/read.ts
function readPayload({ kind, payload }) {
  if (kind === "table") return readTable(payload);
  if (kind === "sources") return readSources(payload);
  if (kind !== "image" && kind !== "file") return void 0;
  if (!isRecord2(payload) || typeof payload.url !== "string" || !payload.url.startsWith("blob:")) return void 0;
  const media_type = typeof payload.media_type === "string" ? payload.media_type : "";
  const known = { kind, url: payload.url, media_type };
  return typeof payload.name === "string" ? { ...known, name: payload.name } : known;
}
function readTable(payload) {
  if (!isRecord2(payload)) return void 0;
  const { columns, rows } = payload;
  const isTable = Array.isArray(columns) && columns.every((column) => typeof column === "string") && Array.isArray(rows) && rows.every((row) => Array.isArray(row));
  return isTable ? { kind: "table", columns, rows } : void 0;
}
function readSources(payload) {
  const list = isRecord2(payload) ? payload.sources : payload;
  if (!Array.isArray(list)) return void 0;
  const sources = list.map((source) => {
    if (!isRecord2(source)) return void 0;
    const { title, url, text } = source;
    const name = typeof title === "string" ? title : url;
    if (typeof name !== "string") return void 0;
    return {
      title: name,
      ...typeof url === "string" && { url },
      ...typeof text === "string" && { text }
    };
  });
  return sources.every((source) => source !== void 0) ? { kind: "sources", sources } : void 0;
}
function isRecord2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/cards/data/Sources.tsx
import { safeAddress as safeAddress2 } from "./app.js";
import { jsx as jsx21, jsxs as jsxs16 } from "./vendor.js";
function Sources({ sources }) {
  return /* @__PURE__ */ jsxs16("section", { children: [
    /* @__PURE__ */ jsx21("p", { class: "label", children: words.value.tool.sources }),
    /* @__PURE__ */ jsx21("ol", { class: "sources", children: sources.map((source, index) => /* @__PURE__ */ jsx21(Source, { source }, index)) })
  ] });
}
function Source({ source: { title, url, text } }) {
  const address = url && safeAddress2(url);
  return /* @__PURE__ */ jsxs16("li", { dir: "auto", children: [
    address ? /* @__PURE__ */ jsx21("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank", title: address, children: reveal(title) }) : reveal(title),
    text && /* @__PURE__ */ jsx21("p", { class: "remark", children: reveal(text) })
  ] });
}

// src/cards/data/Table.tsx
import { useState as useState19 } from "./vendor.js";
import { formatNumber as formatNumber5 } from "./app.js";
import { jsx as jsx22, jsxs as jsxs17 } from "./vendor.js";
var SHOWN3 = 100;
function Table({ table: { columns, rows } }) {
  const [isWhole, setWhole] = useState19(false);
  const { tool } = words.value;
  const shown = isWhole ? rows : rows.slice(0, SHOWN3);
  return /* @__PURE__ */ jsxs17("section", { children: [
    /* @__PURE__ */ jsx22("p", { class: "label", children: tool.data }),
    /* @__PURE__ */ jsx22("div", { class: "table-frame", role: "region", "aria-label": tool.data, tabIndex: 0, children: /* @__PURE__ */ jsxs17("table", { children: [
      /* @__PURE__ */ jsx22("thead", { children: /* @__PURE__ */ jsx22("tr", { children: columns.map((column, index) => /* @__PURE__ */ jsx22("th", { scope: "col", dir: "auto", children: reveal(column) }, index)) }) }),
      /* @__PURE__ */ jsx22("tbody", { children: shown.map((row, index) => /* @__PURE__ */ jsx22("tr", { children: row.map((cell, column) => /* @__PURE__ */ jsx22("td", { class: typeof cell === "number" ? "is-number" : void 0, dir: "auto", children: cellText(cell) }, column)) }, index)) })
    ] }) }),
    shown.length < rows.length && /* @__PURE__ */ jsxs17("p", { class: "remark", children: [
      tool.rows(formatNumber5(SHOWN3), formatNumber5(rows.length)),
      " ",
      /* @__PURE__ */ jsx22("button", { type: "button", class: "quiet", onClick: () => setWhole(true), children: tool.showAll })
    ] })
  ] });
}
function cellText(cell) {
  if (cell === null || cell === void 0) return "";
  return reveal(typeof cell === "string" ? cell : JSON.stringify(cell));
}

// src/cards/data/Payload.tsx
import { jsx as jsx23, jsxs as jsxs18 } from "./vendor.js";
function Payload({ data }) {
  const { tool } = words.value;
  const known = readPayload(data);
  switch (known?.kind) {
    case "table":
      return /* @__PURE__ */ jsx23(Table, { table: known });
    case "sources":
      return /* @__PURE__ */ jsx23(Sources, { sources: known.sources });
    case "image":
    case "file": {
      const { url, media_type, name = tool.file } = known;
      const isImage = known.kind === "image" && isShown(media_type);
      return /* @__PURE__ */ jsxs18("section", { children: [
        /* @__PURE__ */ jsx23("p", { class: "label", children: tool.data }),
        isImage ? /* @__PURE__ */ jsx23(BlobImage, { url, mediaType: media_type, name }) : /* @__PURE__ */ jsx23(FileLink, { url, name })
      ] });
    }
    case void 0:
      return /* @__PURE__ */ jsx23(Content, { title: tool.data, text: JSON.stringify(data.payload) });
  }
}

// src/cards/useElapsed.ts
import { useEffect as useEffect11, useState as useState20 } from "./vendor.js";
var SECOND_MS = 1e3;
var CREDIBLE_MS = 36e5;
function useElapsed(isRunning, beganAt) {
  const [elapsed, setElapsed] = useState20(0);
  useEffect11(() => {
    if (!isRunning) return;
    const age = beganAt === void 0 ? -1 : Date.now() - beganAt;
    const began = performance.now() - (age >= 0 && age < CREDIBLE_MS ? age : 0);
    const tick = () => setElapsed(performance.now() - began);
    tick();
    const timer = setInterval(tick, SECOND_MS);
    return () => clearInterval(timer);
  }, [isRunning, beganAt]);
  return isRunning ? elapsed : void 0;
}

// src/cards/ToolCard.tsx
import { jsx as jsx24, jsxs as jsxs19 } from "./vendor.js";
function ToolCard({ conversation, view, call }) {
  const [isOpen, setOpen] = useState21(false);
  const state = stateOf(conversation, call, view.status !== void 0);
  const { id, part, tool } = call;
  const elapsed = useElapsed(state === "running", beginOf(view, id));
  const progress = state === "running" ? conversation.progress.value.get(id) : void 0;
  const waits = (view.waits ?? []).filter((wait) => wait.call_id === id);
  const ms = state === "running" ? elapsed && Math.floor(elapsed / 1e3) * 1e3 : tool?.ms;
  return /* @__PURE__ */ jsxs19("details", { class: `call ${state}`, onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsxs19("summary", { children: [
      /* @__PURE__ */ jsx24("span", { class: "tool-name", children: reveal(tool?.name || part.name || "") }),
      /* @__PURE__ */ jsx24("span", { class: "tool-state", children: strings9.value.tool[state] }),
      Boolean(ms) && /* @__PURE__ */ jsx24("span", { class: "tool-time", children: formatSpan(ms ?? 0) }),
      progress && /* @__PURE__ */ jsx24("span", { class: "tool-progress", dir: "auto", children: reveal(progress) })
    ] }),
    isOpen && /* @__PURE__ */ jsx24(Body2, { turn: view.turn_id, call, waits }, tool?.ok),
    waits.map((wait) => wait.child && /* @__PURE__ */ jsx24(ChildTurn, { conversation, child: wait.child }, wait.id))
  ] });
}
function beginOf(view, call) {
  const [step] = position(call);
  const { began_at, ms } = view.steps.find((other) => other.step === step) ?? {};
  const isDecided = view.waits?.some((wait) => wait.call_id === call && wait.kind !== "child");
  return began_at && ms !== void 0 && !isDecided ? Date.parse(began_at) + ms : void 0;
}
function Body2({ turn, call, waits }) {
  const { tool: texts } = words.value;
  const [whole, setWhole] = useState21();
  const isCut2 = (call.tool ?? call.part).more && !whole;
  const part = call.part.more && whole?.part || call.part;
  const tool = call.tool?.more && whole?.tool || call.tool;
  const given = argumentsOf(part, tool);
  const load3 = async () => {
    const loaded = await loadPart(turn, part.part_id);
    setWhole(loaded);
    return loaded;
  };
  const loadOf = (read) => {
    return isCut2 ? async () => read(await load3()) ?? "" : void 0;
  };
  return /* @__PURE__ */ jsxs19("div", { class: "tool-body", children: [
    !isEmpty(given) && /* @__PURE__ */ jsx24(
      Content,
      {
        title: texts.arguments,
        text: given,
        load: loadOf((whole2) => argumentsOf(whole2.part, whole2.tool))
      }
    ),
    waits.some((wait) => wait.decided?.arguments) && /* @__PURE__ */ jsx24("p", { class: "remark", children: texts.changed }),
    tool?.content !== void 0 && /* @__PURE__ */ jsx24(
      Content,
      {
        title: tool.ok ? texts.result : texts.error,
        text: tool.content,
        load: loadOf((whole2) => whole2.tool?.content)
      }
    ),
    tool?.images && /* @__PURE__ */ jsx24(Images, { images: tool.images }),
    tool?.data && /* @__PURE__ */ jsx24(Payload, { data: tool.data })
  ] });
}
function argumentsOf(part, tool) {
  return tool?.arguments || part.text;
}
function isEmpty(text) {
  return /^[\s{}]*$/.test(text);
}

// src/cards/ToolCalls.tsx
import { Fragment as Fragment7, jsx as jsx25, jsxs as jsxs20 } from "./vendor.js";
function ToolCalls({ conversation, view, calls }) {
  const cards = calls.map((call) => /* @__PURE__ */ jsx25(ToolCard, { conversation, view, call }, call.id));
  if (calls.length < 2) return /* @__PURE__ */ jsx25(Fragment7, { children: cards });
  const names = new Set(calls.map(({ part, tool }) => tool?.name || part.name || ""));
  const isOver = view.status !== void 0;
  const states = calls.map((call) => stateOf2(conversation, call, isOver));
  return /* @__PURE__ */ jsxs20("details", { class: "call-group", children: [
    /* @__PURE__ */ jsxs20("summary", { children: [
      /* @__PURE__ */ jsx25("span", { children: words.value.tool.group(formatNumber6(calls.length), count(states)) }),
      /* @__PURE__ */ jsx25("span", { class: "tool-names", children: reveal([...names].join(", ")) })
    ] }),
    /* @__PURE__ */ jsx25("div", { class: "call-group-cards", children: cards })
  ] });
}
var ORDER = ["waiting", "running", "writing", "done", "failed", "denied"];
function count(states) {
  const texts = words.value.tool.states;
  return ORDER.flatMap((state) => {
    const { length } = states.filter((other) => other === state);
    return length > 0 ? [texts[state](formatNumber6(length))] : [];
  }).join(" · ");
}

// src/cards/index.ts
addStyles(cards_default);
export {
  Approvals,
  Attachments,
  ToolCalls
};
