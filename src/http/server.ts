// The HTTP server: every hook and every route file in order.
// It authenticates and shapes requests; the operations behind it check the caller's rights.

import { randomBytes } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { beginTurn } from "#base/caches/once-per-turn.ts";
import { guardLoop, noteOperation } from "#base/loop-guard.ts";
import { nameSite } from "#content/site-address.ts";
import type { App } from "#context.ts";
import { type AdminBuild, noAdminBuild } from "#installation/admin-build.ts";
import type { ServerMaker } from "#mcp/transport/sessions.ts";
import { createAdminApp } from "./admin/admin-app.ts";
import { isClosedHere, keepHostsApart } from "./admin/admin-host.ts";
import { createBaseUrl } from "./base-url.ts";
import { beforeRouting } from "./before-routing.ts";
import { acceptJson } from "./bodies.ts";
import { answerBrokenRequest } from "./broken-requests.ts";
import { collectRoutes } from "./documented-routes.ts";
import { createErrorHandler, pathOf } from "./errors.ts";
import { forwardRequests } from "./forward/forward-requests.ts";
import type { Forwarder } from "./forward/forwarder.ts";
import { serveFiles } from "./front-controller.ts";
import { authenticate } from "./hooks/authenticate.ts";
import { catchUpFirst } from "./hooks/catch-up.ts";
import { createHostCheck } from "./hooks/check-host.ts";
import { checkRequest } from "./hooks/check-request.ts";
import { allowScripts } from "./hooks/cors.ts";
import { checkCsrf } from "./hooks/csrf.ts";
import { setHeaders } from "./hooks/headers.ts";
import { keepAnswers } from "./hooks/idempotency.ts";
import { nameIgnoredParameters } from "./hooks/name-ignored.ts";
import { createRateLimit, limitRefusals } from "./hooks/rate-limit.ts";
import { settleLogsFirst } from "./hooks/settle-logs.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { refuseExpectations, refuseNameless } from "./odd-requests.ts";
import { originForm } from "./origin-form.ts";
import { addedRoutes, paceRequests } from "./pace-requests.ts";
import type { SetupGate } from "./pages/setup.ts";
import { parseAddressQuery } from "./query-string.ts";
import type { HttpParts } from "./request-helpers.ts";
import { accessGroupRoutes } from "./routes/accounts/access-groups.ts";
import { accountRoutes } from "./routes/accounts/account.ts";
import { accountPages } from "./routes/accounts/account-pages.ts";
import { authRoutes } from "./routes/accounts/auth.ts";
import { keyRoutes } from "./routes/accounts/keys.ts";
import { loginPage } from "./routes/accounts/login-page.ts";
import { oauthRoutes } from "./routes/accounts/oauth.ts";
import { oauthConsentRoutes } from "./routes/accounts/oauth-consent.ts";
import { oauthClientRoutes, oauthGrantRoutes, oauthKeyRoutes } from "./routes/accounts/oauth-records.ts";
import { passkeyRoutes } from "./routes/accounts/passkeys.ts";
import { preferenceRoutes } from "./routes/accounts/preferences.ts";
import { setupRoutes } from "./routes/accounts/setup.ts";
import { userSessionRoutes } from "./routes/accounts/user-sessions.ts";
import { bulkRoutes } from "./routes/content/bulk.ts";
import { collectionRoutes } from "./routes/content/collections.ts";
import { deckRoutes } from "./routes/content/decks.ts";
import { exportRoutes } from "./routes/content/export.ts";
import { historyRoutes } from "./routes/content/history.ts";
import { importRoutes } from "./routes/content/import.ts";
import { type ObjectRoutesOptions, objectRoutes, refusePastWrites } from "./routes/content/objects.ts";
import { presenceRoutes } from "./routes/content/presence.ts";
import { propertyRoutes } from "./routes/content/properties.ts";
import { queryRoutes } from "./routes/content/queries.ts";
import { referenceRoutes } from "./routes/content/references.ts";
import { reportRoutes } from "./routes/content/reports.ts";
import { schemaWorkRoutes } from "./routes/content/schema-work.ts";
import { schemaRoutes } from "./routes/content/schemas.ts";
import { trashRoutes } from "./routes/content/trash.ts";
import { undoRoutes } from "./routes/content/undo.ts";
import { createEarlyImages } from "./routes/files/early-images.ts";
import { editorFileRoutes } from "./routes/files/editor-files.ts";
import { downloadCountRoutes, fileRoutes } from "./routes/files/files.ts";
import { imageworksRoutes, sendCachedImages } from "./routes/files/imageworks.ts";
import { propertyFileRoutes } from "./routes/files/property-files.ts";
import { protectionRoutes } from "./routes/files/protection.ts";
import { adminRoutes } from "./routes/service/admin.ts";
import { adminStartRoutes } from "./routes/service/admin-start.ts";
import { auditRoutes } from "./routes/service/audit.ts";
import { automationRoutes, triggerRoutes } from "./routes/service/automations.ts";
import { backupRoutes } from "./routes/service/backups.ts";
import { cacheRoutes } from "./routes/service/cache.ts";
import { changeRoutes, changeStreamRoutes } from "./routes/service/changes.ts";
import { docsRoutes } from "./routes/service/docs.ts";
import { extensionAssetRoutes, manifestSchemaRoute } from "./routes/service/extension-assets.ts";
import { extensionCallRoutes } from "./routes/service/extension-calls.ts";
import { extensionRoutes } from "./routes/service/extensions.ts";
import { healthRoutes, metricsRoutes } from "./routes/service/health.ts";
import { jobRoutes } from "./routes/service/jobs.ts";
import { mailerRoutes, mailTrialRoutes } from "./routes/service/mailer.ts";
import { mcpDiscoveryRoutes, mcpRoutes } from "./routes/service/mcp.ts";
import { mcpStateRoutes } from "./routes/service/mcp-state.ts";
import { optionRoutes } from "./routes/service/options.ts";
import { settingsRoutes } from "./routes/service/settings.ts";
import { siteRoutes } from "./routes/service/site.ts";
import { snapshotRoutes } from "./routes/service/snapshots.ts";
import { syncRoutes } from "./routes/service/sync.ts";
import { systemRoutes } from "./routes/service/system.ts";
import { templateHistoryRoutes, templatePreviewRoutes, templateRoutes } from "./routes/service/templates.ts";
import { answerNotFound, answerUnknown } from "./routes/service/unknown.ts";
import { handlerRoutes, viewRoutes } from "./routes/service/views.ts";
import { webhookRoutes } from "./routes/service/webhooks.ts";
import { answerAddedRoutes } from "./routes/site/added-routes.ts";
import { devDoor } from "./routes/site/dev.ts";
import { createEarlyPages } from "./routes/site/early-pages.ts";
import { formRoutes, formStateRoutes } from "./routes/site/forms.ts";
import { answerPages } from "./routes/site/pages.ts";
import { previewScriptRoute } from "./routes/site/preview-script.ts";
import { previewRoutes } from "./routes/site/previews.ts";
import { redirectImportRoutes, redirectRoutes } from "./routes/site/redirects.ts";
import { siteAdminRoutes } from "./routes/site/site-admin.ts";
import { dropTrailingSlash } from "./trailing-slash.ts";
import { ledgerOf, refuseUnread, watchedAnswers } from "./unsent/watched-answers.ts";

export interface ServerOptions {
  setup: SetupGate;
  adminBuild?: AdminBuild;
  /** `cairn dev`. */
  isDev?: boolean;
  /** Balancers are to send nothing more. */
  isStopping?: () => boolean;
  /** In a process that only reads: to the one that writes. */
  forwarder?: Forwarder | undefined;
  /** Replaces the product's own MCP server; for the protocol's test suites. */
  mcpServer?: ServerMaker;
}

const maxParamLength = 500;
const headersTimeout = 10_000;
const checkInterval = 5_000;

export async function createServer(app: App, options: ServerOptions): Promise<FastifyInstance> {
  const { setup, adminBuild = noAdminBuild, mcpServer, isDev = false, isStopping = () => false, forwarder } = options;
  const limit = createRateLimit(app);
  const forwarding = forwarder && forwardRequests(forwarder, app);
  const answerHere = limitRefusals(limit, createErrorHandler(app.log));
  const answerError = forwarding?.insteadOf(answerHere) ?? answerHere;
  const guard = guardLoop(app.log);
  const metrics = createMetrics(app, guard);
  const nextId = createRequestIds();
  const unsent = ledgerOf(app);
  const server = fastify({
    logger: false,
    genReqId: nextId,
    rewriteUrl: ({ method, url = "/" }) => dropTrailingSlash({ method, url: originForm(url) }),
    trustProxy: trustedProxies(app),
    forceCloseConnections: "idle",
    // While the server stops, a request on an open connection is served; the answer closes the connection.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { querystringParser: parseAddressQuery, maxParamLength },
    // Without Host: odd-requests.ts answers.
    http: {
      headersTimeout,
      connectionsCheckingInterval: checkInterval,
      requireHostHeader: false,
      ServerResponse: watchedAnswers(unsent, true),
    },
    // Addresses that the router cannot read bypass every hook.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      answerError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  });
  const door: HttpParts = { app, baseUrl: createBaseUrl(server, app) };
  nameSite(app, door.baseUrl);

  const host = createHostCheck(door);
  server.decorateRequest("ctx");
  server.decorateRequest("signedIn");
  server.decorateRequest("isForwarded");
  server.setErrorHandler(answerError);
  acceptJson(server, app, app.settings.get("api.maxBodySize"));

  server.addHook("onListen", (done) => {
    guard.begin();
    done();
  });
  server.addHook("onRequest", (request, reply, done) => {
    noteOperation(request);
    if (forwarding?.take(request, reply)) return;
    setHeaders(request, reply);
    host.check(request);
    checkRequest(request);
    done();
  });
  settleLogsFirst(server, app);
  const { isOwnName, isNoFile } = serveFiles(server, app);
  server.addHook("onRequest", catchUpFirst(app));
  server.addHook("onRequest", (request, reply, done) => {
    keepHostsApart(app, request, reply);
    if (isClosedHere(app, request)) answerNotFound(request, reply);
    else done();
  });
  server.addHook("onRequest", (request, reply, done) => {
    allowScripts(app, request, reply);
    done();
  });
  answerAddedRoutes(server, door);
  answerPages(server, door, isDev ? devDoor(server, app) : undefined);
  answerUnknown(server, app, { limit, setup });
  const routes = collectRoutes(server);
  server.addHook("onResponse", (request, reply, done) => {
    // The process that answers counts it.
    if (request.isForwarded) return done();
    metrics.note(request, reply);
    if (app.log.isLevelEnabled("debug")) logRequest(app.log, request, reply);
    done();
  });

  server.addHook("onClose", async () => guard.close());
  healthRoutes(server, door, isStopping);
  const admin = createAdminApp(adminBuild, {
    name: () => app.settings.get("site.name"),
    host: () => app.settings.get("site.adminHost") || (URL.parse(app.settings.get("url"))?.host ?? ""),
  });
  addScope(server, "", (scope) => adminRoutes(scope, admin));
  addScope(server, "", previewScriptRoute);
  addScope(server, "/api/ext", (scope) => extensionAssetRoutes(scope, door));
  addScope(server, "", manifestSchemaRoute);
  addScope(server, "", (scope) => setupRoutes(scope, door, { gate: setup, admin }));
  addScope(server, "", (scope) => accountPages(scope, door));
  addScope(server, "", (scope) => triggerRoutes(scope, door, limit));
  addScope(server, "", (scope) => loginPage(scope, door));
  addScope(server, "", (scope) => mcpRoutes(scope, door, mcpServer));
  addScope(server, "", (scope) => mcpDiscoveryRoutes(scope, door));
  addScope(server, "", (scope) => oauthConsentRoutes(scope, door));
  addScope(server, "", (scope) => oauthRoutes(scope, door));
  addScope(server, "", (scope) => {
    // Nothing here changes anything, so no CSRF token is required; pages have many images, so there is no rate limit.
    scope.addHook("onRequest", authenticate(app));
    fileRoutes(scope);
  });
  addScope(server, "", (scope) => {
    scope.addHook("onRequest", sendCachedImages(app));
    scope.addHook("onRequest", authenticate(app));
    imageworksRoutes(scope);
  });
  addScope(server, "", (open) => {
    open.addHook("onRequest", authenticate(app));
    open.addHook("onRequest", (request, reply, done) => {
      limit(request, reply);
      nameIgnoredParameters(request, reply);
      done();
    });
    open.addHook("preHandler", checkCsrf);
    keepAnswers(open, app);
    metricsRoutes(open, door, metrics);
    addScope(open, "/api/auth", (scope) => authRoutes(scope, door));
    addScope(open, "/api/auth", (scope) => accountRoutes(scope, door));
    addScope(open, "/api/auth/preferences", (scope) => preferenceRoutes(scope, door));
    addScope(open, "/api/passkeys", (scope) => passkeyRoutes(scope, door));
    addScope(open, "/api/collections", (scope) => contentRoutes(scope, door, { lists: "wrapped" }));
    addScope(open, "/api/objects", (scope) => contentRoutes(scope, door, { lists: "wrapped" }));
    addScope(open, "/collections", (scope) => contentRoutes(scope, door, { lists: "described" }));
    addScope(open, "/api", adminStartRoutes);
    addScope(open, "/api/bulk", (scope) => bulkRoutes(scope, door));
    addScope(open, "/api/undo", (scope) => undoRoutes(scope, door));
    addScope(open, "/api/options", optionRoutes);
    addScope(open, "/api/presence", presenceRoutes);
    addScope(open, "/api/history", historyRoutes);
    addScope(open, "/api/trash", (scope) => trashRoutes(scope, door));
    addScope(open, "/api", protectionRoutes);
    addScope(open, "/api/upload", editorFileRoutes);
    addScope(open, "/api/report/collections", reportRoutes);
    addScope(open, "/api", schemaWorkRoutes);
    addScope(open, "/api", handlerRoutes);
    addScope(open, "/api/schemas", (scope) => schemaRoutes(scope, door));
    addScope(open, "/api/templates", (scope) => templateRoutes(scope, door));
    addScope(open, "/api/template-history", templateHistoryRoutes);
    addScope(open, "/api/template-preview", templatePreviewRoutes);
    addScope(open, "/api/previews", previewRoutes);
    addScope(open, "/api/site", siteAdminRoutes);
    addScope(open, "", (scope) => formRoutes(scope, door));
    addScope(open, "/api/site-forms", formStateRoutes);
    addScope(open, "/api/site/redirects", redirectRoutes);
    addScope(open, "/api/site/redirects", redirectImportRoutes);
    addScope(open, "/api/settings", settingsRoutes);
    addScope(open, "/api/access-groups", (scope) => accessGroupRoutes(scope, door));
    addScope(open, "/api/apikeys", keyRoutes);
    addScope(open, "/api/users", userSessionRoutes);
    addScope(open, "/api/oauth-clients", oauthClientRoutes);
    addScope(open, "/api/oauth-grants", oauthGrantRoutes);
    addScope(open, "/api/oauth-keys", oauthKeyRoutes);
    addScope(open, "/api/audit", auditRoutes);
    addScope(open, "/api", changeRoutes);
    addScope(open, "/api", (scope) => changeStreamRoutes(scope, door));
    addScope(open, "/api", mcpStateRoutes);
    addScope(open, "/api/automations", automationRoutes);
    addScope(open, "/api/jobs", jobRoutes);
    addScope(open, "/api/cache", cacheRoutes);
    addScope(open, "/api/mailer", mailerRoutes);
    addScope(open, "/api", mailTrialRoutes);
    addScope(open, "/api/webhooks", webhookRoutes);
    addScope(open, "/api/dataviews", (scope) => viewRoutes(scope, door));
    addScope(open, "/api/extensions", extensionRoutes);
    addScope(open, "/api/ext", (scope) => extensionCallRoutes(scope, door));
    addScope(open, "/api/import", importRoutes);
    addScope(open, "/api/export", exportRoutes);
    addScope(open, "/api/snapshots", snapshotRoutes);
    addScope(open, "/api/backups", backupRoutes);
    addScope(open, "/api/sync", (scope) => syncRoutes(scope, door));
    addScope(open, "/api", (scope) => systemRoutes(scope, door));
    addScope(open, "", (scope) => siteRoutes(scope, door));
    addScope(open, "/api", (scope) => docsRoutes(scope, door, routes));
  });
  const early = { nextId, host, metrics };
  const sendPage = isDev ? undefined : createEarlyPages(server, app, { ...early, isNoFile });
  const sendImage = createEarlyImages(server, app, { ...early, isOwnName });
  await server.ready();
  beforeRouting(server, paceRequests(addedRoutes));
  if (sendPage) beforeRouting(server, sendPage);
  beforeRouting(server, sendImage);
  if (forwarding) beforeRouting(server, forwarding.takeEarly);
  beforeRouting(server, refuseNameless(nextId));
  beforeRouting(server, refuseUnread(unsent, nextId));
  refuseExpectations(server, nextId);
  beforeRouting(server, () => {
    beginTurn();
    return false;
  });
  return server;
}

/** Operations validate their input; the framework's validator and serializer would be loaded for nothing. */
function noSchemas(): never {
  throw new Error("a route has a schema, and nothing compiles it");
}

/** Without a trusted proxy forwarding headers are not even read. */
function trustedProxies({ settings }: App): string[] | false {
  const trusted = settings.get("trustProxy");
  return trusted.length > 0 && trusted;
}

/** Hooks and body parsers added inside apply only to the routes inside. */
function addScope(server: FastifyInstance, prefix: string, add: (scope: FastifyInstance) => void): void {
  server.register(
    (scope, _options, done) => {
      add(scope);
      done();
    },
    { prefix },
  );
}

function contentRoutes(server: FastifyInstance, door: HttpParts, options: ObjectRoutesOptions): void {
  server.addHook("preHandler", refusePastWrites);
  collectionRoutes(server, door);
  queryRoutes(server, door);
  objectRoutes(server, door, options);
  referenceRoutes(server);
  deckRoutes(server);
  downloadCountRoutes(server);
  propertyRoutes(server);
  propertyFileRoutes(server);
}

function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { id: requestId, method } = request;
  log.debug({ requestId, method, path: pathOf(request), status: reply.statusCode, ms: reply.elapsedTime }, "request");
}

/** Unique over restarts and processes: a random start, then a count. */
function createRequestIds(): () => string {
  const start = randomBytes(6).toString("base64url");
  let count = 0;
  return () => start + (count++).toString(36);
}
