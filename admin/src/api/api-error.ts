// What a request that failed says: the status and the words of the server, or that there was no answer.

export interface ErrorDetails {
  [property: string]: string[];
}

export class ApiError extends Error {
  /** 0: no answer came. */
  readonly status: number;
  /** By property, with dots for nested ones. */
  readonly details: ErrorDetails;
  /** To find the request in the server's log; empty without an answer. */
  readonly requestId: string;
  /** After so many seconds it may be tried again. */
  readonly retryAfter: number | undefined;

  constructor(init: {
    status: number;
    message: string;
    details?: ErrorDetails;
    requestId?: string;
    retryAfter?: number | undefined;
  }) {
    super(init.message);
    this.name = "ApiError";
    this.status = init.status;
    this.details = init.details ?? {};
    this.requestId = init.requestId ?? "";
    this.retryAfter = init.retryAfter;
  }

  /** The server was not reached. */
  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

/** The shapes in which the server tells what is wrong (docs/errors.md). */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = (body as { error?: unknown } | undefined)?.error;
  const told =
    typeof error === "object" && error !== null ? (error as { message?: string; details?: ErrorDetails }) : {};
  const message = typeof error === "string" ? error : told.message;
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status: response.status,
    message: message ?? `${response.status} ${response.statusText}`.trim(),
    details: told.details ?? {},
    requestId: response.headers.get("x-request-id") ?? "",
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
