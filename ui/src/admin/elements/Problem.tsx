import { ApiError, messageOf } from "../../shared";
import { words } from "../strings";
import { Refusal } from "./WayOut";

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
  // What a user may do, but not with these values, needs no other key.
  if (isForbidden && (forbidden || retry)) return <Refusal text={forbidden ?? explain(error)} />;
  return (
    <div class="problem" role="alert">
      <p dir="auto">{explain(error)}</p>
      {retry && (
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
