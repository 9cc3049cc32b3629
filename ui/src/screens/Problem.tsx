import { type ApiError, messageOf } from "../net";
import { problem } from "../state/server";
import { strings } from "../strings";

/** Why the user may send no requests. */
export function Problem() {
  const { page, signIn } = strings.value;
  const error = problem.value as Partial<ApiError> | undefined;
  if (!error) return null;
  const reasons: Record<string, string> = {
    unreachable: page.unreachable,
    unauthenticated: signIn.refused,
    forbidden: signIn.lacks,
  };
  return (
    <p class="remark error" role="alert">
      {reasons[error.code ?? ""] ?? page.failed(messageOf(error))}
    </p>
  );
}
