// Errors of the OAuth endpoints, by the codes of the RFCs: `{error, error_description}`, or the same two in a redirect.
// Descriptions are our own plain ASCII sentences; they repeat nothing that was sent.

export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;

  constructor(code: OAuthErrorCode, description: string, status = 400) {
    super(description);
    this.name = "OAuthError";
    this.code = code;
    this.status = status;
  }
}

export function refuse(code: OAuthErrorCode, description: string, status?: number): never {
  throw new OAuthError(code, description, status);
}
