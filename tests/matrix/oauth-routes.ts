// The routes of OAuth records, of the logs and of the state of the MCP endpoint.

import { type Row, site } from "./row.ts";

/** Closed to tokens, also to those of administrators. */
export function oauthRecordRows(): Row[] {
  const admin = "the admin persona";
  const clients = "/api/oauth-clients";
  const grants = "/api/oauth-grants";
  const body = (name: string) => ({ name, redirectUris: ["https://app.example.test/callback"], scopes: ["cms:read"] });
  return [
    site(`GET ${clients}`, admin, () => clients),
    site(`POST ${clients}`, admin, ({ fresh }) => ({ path: clients, body: body(fresh) }), { status: 201 }),
    site(`POST ${clients}/prune`, admin, () => `${clients}/prune`),
    site(`DELETE ${clients}/:id`, admin, ({ fresh }) => `${clients}/${fresh}`, { status: 404 }),
    site(`GET ${grants}`, admin, () => grants),
    site(`GET ${grants}/:id/reach`, admin, ({ fresh }) => `${grants}/${fresh}/reach`, { status: 404 }),
    site(`DELETE ${grants}`, admin, ({ fresh }) => `${grants}?client=${fresh}`),
    site("GET /api/oauth-keys", admin, () => "/api/oauth-keys"),
    site("POST /api/oauth-keys", admin, () => ({ path: "/api/oauth-keys", body: {} })),
    site("GET /api/audit", admin, () => "/api/audit?log=oauth&limit=1"),
    site("GET /api/mcp-status", admin, () => "/api/mcp-status"),
    site("POST /api/mcp-doctor", admin, () => ({ path: "/api/mcp-doctor", body: { url: "http://127.0.0.1:1/mcp" } })),
    site(`DELETE ${grants}/:id`, admin, ({ fresh }) => `${grants}/${fresh}`, { status: 404 }),
  ];
}
