import { ApiError, messageOf } from "../../shared";
import { words } from "../strings";

interface ProblemProps {
  error: unknown;
  /** What the user lacks if the server refuses the request, in a sentence. */
  forbidden?: string;
  retry?(): void;
}

/** What went wrong, in plain words, and a way on. */
export function Problem({ error, forbidden, retry }: ProblemProps) {
  if (error === undefined) return null;
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <div class={isForbidden ? "problem quiet" : "problem"} role="alert">
      <p dir="auto">{isForbidden && forbidden ? forbidden : explain(error)}</p>
      {retry && !isForbidden && (
        <button type="button" onClick={retry}>
          {words.value.retry}
        </button>
      )}
    </div>
  );
}

/** Returns a sentence about an error. */
export function explain(error: unknown): string {
  const { errors } = words.value;
  if (error instanceof ApiError && error.status === 0) return errors.unreachable;
  return errors.other(messageOf(error));
}
