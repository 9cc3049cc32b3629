/** What is wrong with the answer in a field. */
export type FieldProblem =
  | { kind: "missing" | "number" | "integer" | "json" }
  | { kind: "least" | "most" | "short" | "long"; limit: string }
  | { kind: "refused"; reason: string };
