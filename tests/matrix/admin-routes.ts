// The routes of the admin web app and of the setup before it.

import { form, type Row, site } from "./row.ts";

/** No key or token is looked at, so without the cookie all callers are the same. */
export const nobody = (path: string) => ({ path, headers: { cookie: "" } });

export function adminAppRows(): Row[] {
  return [
    // The app asks for the session itself, by the API.
    // With a query that cannot be read, because the answer to others depends on whether the app is built by now.
    site("GET /admin", "nothing", () => "/admin?a=%zz", { status: 400 }),
    site("GET /admin/*", "nothing", () => "/admin/assets/none.js", { status: 404 }),
    site("GET /api/system", "the admin persona", () => "/api/system"),
    site("GET /api/server-config", "the admin persona", () => "/api/server-config?server=caddy"),
    // Closed since there is a user. Administrators are shown more: tests/http/site/admin-serving.sqlite.test.ts.
    ...["?token=x", "/environment", "/content", "/server-config", "/complete"].map((rest) =>
      site(`GET /setup${rest.replace(/\?.*/, "")}`, "nothing", () => nobody(`/setup${rest}`), { status: 403 }),
    ),
    site(
      "POST /setup",
      "nothing",
      () => ({ path: "/setup", ...form("token=x", "application/x-www-form-urlencoded") }),
      { status: 403 },
    ),
  ];
}
