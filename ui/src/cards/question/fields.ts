/** A choice of a field: the value, and what people read. */
export interface Choice {
  value: unknown;
  label: string;
}

/** A field of a form, made of a JSON Schema. */
export interface Field {
  /** The name of the property; empty if the answer is one value. */
  key: string;
  label: string;
  description: string;
  isRequired: boolean;
  kind: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  choices: Choice[];
  /** The value at first. */
  initial: unknown;
  least?: number;
  most?: number;
  shortest?: number;
  longest?: number;
}

export interface Form {
  /** Whether the answer is one value, and no object. */
  isSingle: boolean;
  fields: Field[];
}

/** The keywords of a schema of a value that a form can follow. The server checks the others of its own accord. */
const KNOWN = new Set(
  `$schema title description default type enum const oneOf enumNames minimum maximum exclusiveMinimum exclusiveMaximum
   multipleOf minLength maxLength pattern format items uniqueItems minItems maxItems examples`.split(/\s+/),
);

/** The keywords of a schema of an object that a form can follow. */
const KNOWN_OF_OBJECTS = new Set(
  "$schema title description type properties required additionalProperties".split(" "),
);

/** Returns the form for answers of a schema; `undefined` if the schema asks for more than a form has. */
export function formOf(schema: unknown): Form | undefined {
  if (!isRecord(schema)) return undefined;
  if (schema.type !== "object") {
    const field = fieldOf("", schema, true);
    return field && { isSingle: true, fields: [field] };
  }
  const { properties, required } = schema;
  if (!isRecord(properties) || !Object.keys(schema).every((keyword) => KNOWN_OF_OBJECTS.has(keyword))) return undefined;
  const names = Array.isArray(required) ? required : [];
  // The server sorts the properties of an object by their names. The order of required ones is that of the question.
  const place = (key: string) => (names.includes(key) ? names.indexOf(key) : names.length);
  const entries = Object.entries(properties).sort(([a], [b]) => place(a) - place(b));
  const fields = entries.map(([key, value]) => {
    return isRecord(value) ? fieldOf(key, value, names.includes(key)) : undefined;
  });
  const hasAll = fields.length > 0 && names.every((name) => typeof name === "string" && name in properties);
  return hasAll && fields.every((field) => field !== undefined) ? { isSingle: false, fields } : undefined;
}

function fieldOf(key: string, schema: Record<string, unknown>, isRequired: boolean): Field | undefined {
  if (!Object.keys(schema).every((keyword) => KNOWN.has(keyword))) return undefined;
  const field: Field = {
    key,
    label: textOf(schema.title) || key,
    description: textOf(schema.description),
    isRequired,
    kind: "text",
    choices: choicesOf(schema) ?? [],
    initial: schema.default,
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
      const choices = isRecord(schema.items) ? choicesOf(schema.items) : undefined;
      return choices && { ...field, kind: "choices", choices };
    }
    default:
      return undefined;
  }
}

function choicesOf(schema: Record<string, unknown>): Choice[] | undefined {
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value, index) => ({ value, label: textOf(names[index]) || labelOf(value) }));
  }
  if (!Array.isArray(schema.oneOf)) return undefined;
  const options = schema.oneOf.filter(isRecord).filter((option) => "const" in option);
  if (options.length !== schema.oneOf.length) return undefined;
  return options.map((option) => ({ value: option.const, label: textOf(option.title) || labelOf(option.const) }));
}

function labelOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function limit(name: "least" | "most" | "shortest" | "longest", value: unknown): Partial<Field> {
  return typeof value === "number" ? { [name]: value } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
