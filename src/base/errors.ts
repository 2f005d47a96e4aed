// The one error class and its catalogue. Operations throw it, HTTP and CLI translate it.
// The message is always safe for the caller: no path, no SQL, no text of another exception.

export type ErrorDetails = { [property: string]: string[] };

export const errorCatalogue = {
  invalid: { status: 400, message: "The request is not valid." },
  "validation-failed": { status: 400, message: "Validation failed" },
  "malformed-json": { status: 400, message: "The body is not valid JSON." },
  exists: { status: 400, message: "It exists already." },
  "in-use": { status: 400, message: "It is still in use." },
  unauthenticated: { status: 401, message: "Authentication required" },
  "invalid-key": { status: 401, message: "Invalid API key or insufficient permissions" },
  "invalid-token": { status: 401, message: "The access token is not valid." },
  forbidden: { status: 403, message: "Access denied" },
  "confirm-required": {
    status: 403,
    message: "Confirm your password first: POST /api/auth/confirm with it. That holds for ten minutes.",
  },
  "password-required": { status: 403, message: "Access denied" },
  "insufficient-scope": { status: 403, message: "Insufficient scope" },
  "edition-required": { status: 403, message: "This needs the Pro edition." },
  "not-found": { status: 404, message: "Not found" },
  "method-not-allowed": { status: 405, message: "Method not allowed" },
  referenced: { status: 409, message: "Other objects point here." },
  conflict: { status: 409, message: "It conflicts with what is there." },
  "needs-confirmation": { status: 409, message: "This must be confirmed." },
  "needs-review": { status: 409, message: "The extension asks for more than was approved. Review it first." },
  "precondition-failed": { status: 412, message: "The object has changed since it was read." },
  "too-large": { status: 413, message: "The body is too large." },
  "unsupported-type": { status: 415, message: "The content type is not supported." },
  "range-not-satisfiable": { status: 416, message: "The range cannot be satisfied." },
  "form-refused": { status: 422, message: "The form was not accepted." },
  "key-reused": { status: 422, message: "The Idempotency-Key was used for a request with another body." },
  refused: { status: 422, message: "The payload was refused." },
  "rate-limited": { status: 429, message: "Too many requests" },
  internal: { status: 500, message: "Something went wrong on the server." },
  "extension-failed": { status: 500, message: "An extension failed." },
  busy: {
    status: 503,
    message: "The server is busy with other large queries. Try again in a moment.",
  },
  "query-too-long": {
    status: 503,
    message: "The query took too long. Filter and sort by indexed properties, or take a report.",
  },
  unavailable: { status: 503, message: "The service is not available right now." },
  "storage-full": { status: 507, message: "The server has no disk space left." },
} as const;

export type ErrorWord = keyof typeof errorCatalogue;

export class CairnError extends Error {
  readonly word: ErrorWord;
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  /** Seconds until a retry makes sense. */
  retryAfter: number | undefined;

  constructor(word: ErrorWord, message?: string, details?: ErrorDetails) {
    super(message ?? errorCatalogue[word].message);
    this.name = "CairnError";
    this.word = word;
    this.status = errorCatalogue[word].status;
    this.details = details;
  }
}

export function fail(word: ErrorWord, message?: string, details?: ErrorDetails): never {
  throw new CairnError(word, message, details);
}

/** Temporary: a retry soon will succeed. */
export function temporarilyUnavailable(message?: string): CairnError {
  const error = new CairnError("unavailable", message);
  error.retryAfter = 1;
  return error;
}

/** Too many requests: the caller may retry after this many milliseconds. */
export function rateLimited(waitMs: number, message?: string): CairnError {
  const error = new CairnError("rate-limited", message);
  error.retryAfter = Math.max(1, Math.ceil(waitMs / 1_000));
  return error;
}
