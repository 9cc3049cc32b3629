/** A request that was refused, or that got no response. */
export class ApiError extends Error {
  /** The status of the response; 0 if there was none. */
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  /** The seconds after which the request may be sent again. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, field?: string, retryAfter?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }

  /** Creates the error of a request that got no response. */
  static unreachable(cause: unknown): ApiError {
    return new ApiError(0, "unreachable", messageOf(cause));
  }

  /** Creates the error that a response describes. */
  static async of(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined);
    const error = isRecord(body) && isRecord(body.error) ? body.error : {};
    const text = (value: unknown) => (typeof value === "string" ? value : undefined);
    const seconds = Number(response.headers.get("retry-after") ?? NaN);
    return new ApiError(
      response.status,
      text(error.code) ?? "unknown",
      text(error.message) ?? `${response.status} ${response.statusText}`.trim(),
      text(error.param),
      Number.isFinite(seconds) ? seconds : undefined,
    );
  }
}

/**
 * Reports whether the server refused a request, and would refuse it again. A 404 that is not turnkit's own comes from a
 * proxy: some answer so while the server behind them restarts.
 */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  // A response of something else has no code.
  if (status === 404) return code !== "unknown";
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
