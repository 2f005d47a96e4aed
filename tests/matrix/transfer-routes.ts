// The routes of the admin to the remote of sync, and to whole backups.

import { type Row, site } from "./row.ts";

export function remoteRows(): Row[] {
  const admin = "the admin persona";
  const session = "the session of an admin";
  const confirm = "/api/auth/confirm";
  return [
    site("GET /api/sync/remote", admin, () => "/api/sync/remote"),
    // There is no remote, so that they end in 400.
    ...["compare", "push", "pull", "difference"].map((word) =>
      site(`POST /api/sync/${word}`, admin, () => ({ path: `/api/sync/${word}`, body: {} }), { status: 400 }),
    ),
    // Without the password it ends in 400.
    site(`POST ${confirm}`, "the own session", () => ({ path: confirm, body: {} }), { status: 400 }),
    site("GET /api/backups", session, () => "/api/backups"),
    site("POST /api/backups", session, () => "/api/backups", { status: 202 }),
    ...["GET", "DELETE"].map((method) =>
      site(`${method} /api/backups/:name`, session, () => "/api/backups/none.zip", { status: 404 }),
    ),
  ];
}
