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
  // A proxy may refuse a request in words of its own.
  const code = error.status === 401 ? "unauthenticated" : (error.code ?? "");
  return (
    <p class="remark error" role="alert">
      {reasons[code] ?? page.failed(messageOf(error))}
    </p>
  );
}
