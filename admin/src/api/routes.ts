// Every route of the server that the admin calls, under a name. `scripts/check-admin-routes.ts` holds the table against the
// OpenAPI document.

export const routes = {
  start: "GET /api/admin",
  session: "GET /api/auth/session",
  signIn: "POST /api/auth/login",
  signOut: "POST /api/auth/logout",
  sessions: "GET /api/auth/sessions",
  endSession: "DELETE /api/auth/sessions/{id}",
  connections: "GET /api/auth/connections",
  endConnection: "DELETE /api/auth/connections/{id}",
  passkeySignInOptions: "POST /api/passkeys/login/options",
  passkeySignIn: "POST /api/passkeys/login",
  passkeys: "GET /api/passkeys",
  passkeyOptions: "POST /api/passkeys/register/options",
  addPasskey: "POST /api/passkeys/register",
  removePasskey: "DELETE /api/passkeys/{id}",
  confirmOptions: "POST /api/passkeys/confirm/options",
  confirmByPasskey: "POST /api/passkeys/confirm",
  stopImpersonating: "POST /api/auth/impersonate/stop",
  preferences: "GET /api/auth/preferences",
  savePreferences: "PUT /api/auth/preferences",

  createCollection: "POST /api/collections",
  collectionSettings: "GET /api/collections/{collection}/settings",
  patchCollectionSettings: "PATCH /api/collections/{collection}/settings",
  form: "GET /api/forms/{collection}",
  query: "GET /api/collections/{collection}/query",
  list: "GET /api/collections/{collection}",
  object: "GET /api/collections/{collection}/{id}",
  createObject: "POST /api/collections/{collection}",
  patchObject: "PATCH /api/collections/{collection}/{id}",
  deleteObject: "DELETE /api/collections/{collection}/{id}",
  bulk: "POST /api/bulk/{collection}",
  options: "GET /api/options/{source}",
  search: "GET /api/search",
  recent: "GET /api/recent",
  schemas: "GET /api/schemas",
  job: "GET /api/jobs/{id}",

  system: "GET /api/system",
  serverConfig: "GET /api/server-config",
  loadDemo: "POST /api/setup/demo",
} as const;

export type Route = (typeof routes)[keyof typeof routes];
