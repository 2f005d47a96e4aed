// Every setting once: default, type, description, and the environment variable that sets it, if any.
// docs/config.md is written from this table (scripts/write-config-docs.ts); config/config.ts reads and validates by it.

import { availableParallelism } from "node:os";
import { hostName, proxyAddresses, type SettingForm, webAddress, webOrigins } from "#base/setting-forms.ts";
import { memberGroup } from "#contract/access-groups.ts";
import type { Json, JsonObject } from "#contract/json.ts";

type SettingType = "string" | "timezone" | "duration" | "integer" | "number" | "boolean" | "strings" | "object";

export interface Setting<T extends Json> {
  default: T;
  type: SettingType;
  about: string;
  env?: readonly string[];
  /** Read once at start; a change needs a restart. */
  atStart?: true;
  /** Never shown, never sent back; encrypted where it is saved. */
  secret?: true;
  /** An empty text would have a meaning of its own. */
  needed?: true;
  oneOf?: readonly string[];
  /** For a text that is not empty, or for each entry of a list. */
  form?: SettingForm;
  min?: number;
  max?: number;
  /** The number that "auto" stands for on this machine. */
  auto?: () => number;
}

const text = (value: string, about: string, more: Partial<Setting<string>> = {}): Setting<string> => ({
  default: value,
  type: "string",
  about,
  ...more,
});
const duration = (value: string, about: string, more: Partial<Setting<string>> = {}): Setting<string> => ({
  default: value,
  type: "duration",
  about,
  ...more,
});
const integer = (value: number, about: string, more: Partial<Setting<number>> = {}): Setting<number> => ({
  default: value,
  type: "integer",
  about,
  min: 0,
  ...more,
});
const flag = (value: boolean, about: string, more: Partial<Setting<boolean>> = {}): Setting<boolean> => ({
  default: value,
  type: "boolean",
  about,
  ...more,
});
const strings = (value: string[], about: string, more: Partial<Setting<string[]>> = {}): Setting<string[]> => ({
  default: value,
  type: "strings",
  about,
  ...more,
});

const object = <T extends JsonObject>(value: T, about: string, more: Partial<Setting<T>> = {}): Setting<T> => ({
  default: value,
  type: "object",
  about,
  ...more,
});

const corsMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** As guides and configurations show it. */
export const exampleDatabaseUrl = "postgres://cairn:secret@db.example.org/cairn";

export const settingsTable = {
  host: text("127.0.0.1", "Address to listen on.", { env: ["CAIRN_HOST"], atStart: true, needed: true }),
  port: integer(8080, "Port to listen on; 0 picks a free one.", {
    env: ["CAIRN_PORT", "PORT"],
    atStart: true,
    max: 65_535,
  }),
  url: text("", "Public base URL, used in every absolute link. Empty: http://{host}:{port}.", {
    env: ["CAIRN_URL"],
    atStart: true,
    form: webAddress,
  }),
  databaseUrl: text("", "postgres://... switches from the embedded SQLite to PostgreSQL.", {
    env: ["CAIRN_DATABASE_URL"],
    atStart: true,
    form: { about: "a postgres:// address", fits: (address) => /^postgres(ql)?:\/\/./.test(address) },
    secret: true,
  }),
  databaseReadUrl: text(
    "",
    "postgres://... of a streaming replica: queries and reports that take long are answered by it while it is up to date.",
    {
      env: ["CAIRN_DATABASE_READ_URL"],
      atStart: true,
      form: { about: "a postgres:// address", fits: (address) => /^postgres(ql)?:\/\/./.test(address) },
      secret: true,
    },
  ),
  databaseDirectUrl: text(
    "",
    "postgres://... around a connection pool in transaction mode, which databaseUrl then leads to: for migrations, index builds, long reads and notices.",
    {
      env: ["CAIRN_DATABASE_DIRECT_URL"],
      atStart: true,
      form: { about: "a postgres:// address", fits: (address) => /^postgres(ql)?:\/\/./.test(address) },
      secret: true,
    },
  ),
  "database.connections": integer(
    16,
    "Connections to PostgreSQL that a process takes for requests at most; long work takes four more, and notices one.",
    { env: ["CAIRN_DATABASE_CONNECTIONS"], atStart: true, min: 4, max: 500 },
  ),
  "database.prepare": flag(
    true,
    "Let PostgreSQL keep repeated statements parsed. false: behind a connection pool that does not pass them on, such as PgBouncer before 1.21.",
    { env: ["CAIRN_DATABASE_PREPARE"], atStart: true },
  ),
  databaseTimeout: duration(
    "PT30S",
    "How long a statement waits for PostgreSQL before its request is answered with 503; exports wait ten times as long. PT0S: no limit.",
    { env: ["CAIRN_DATABASE_TIMEOUT"], atStart: true, min: 0 },
  ),
  readers: integer(
    0,
    "Threads that read SQLite for lists, queries and searches; 0: 2 on up to 2 cores, 3 on up to 4, else 4.",
    { env: ["CAIRN_READERS"], atStart: true, max: 64 },
  ),
  queryTimeout: duration("PT10S", "How long one list, query or search may take. PT0S: no limit.", {
    env: ["CAIRN_QUERY_TIMEOUT"],
    min: 0,
  }),
  queryTimeoutPublic: duration("PT2S", "The same for callers without a credential.", {
    env: ["CAIRN_QUERY_TIMEOUT_PUBLIC"],
    min: 0,
  }),
  "history.default": text(
    "off",
    "What is kept of the changes of a collection that does not say so itself: `off` nothing, `trail` who changed which properties, `full` also the values that were there before.",
    { oneOf: ["off", "trail", "full"] },
  ),
  "history.new": text(
    "full",
    "The same for a collection that is created and does not say so itself: written into its settings. `default`: nothing is written, and `history.default` counts.",
    { oneOf: ["default", "off", "trail", "full"] },
  ),
  "history.files": duration(
    "P30D",
    "How long files that were replaced or deleted can come back, where the history is full.",
  ),
  "history.keep": duration("P365D", "How long the values that changes have replaced are kept."),
  "history.trash": duration("P30D", "How long deleted objects can be restored."),
  "history.versions": integer(100, "How many changes of an object keep the values that they replaced.", { min: 1 }),
  "history.records": duration(
    "P1095D",
    "How long it is known that something was changed, when and by whom; never shorter than values and deleted objects are kept.",
  ),
  "history.maxBytes": integer(
    0,
    "How many bytes replaced values and deleted objects may take up together; the oldest go first. 0: no limit.",
  ),
  "changes.publicStreams": flag(false, "Callers without credentials may follow the changes of public collections."),
  "changes.maxStreams": integer(5_000, "How many streams of changes one process keeps open.", { min: 0 }),
  queryBudget: duration(
    "PT60S",
    "Time that all queries, reports and exports of one key, user or token may take in a minute. PT0S: no limit.",
    { env: ["CAIRN_QUERY_BUDGET"], min: 0 },
  ),
  queryBudgetPublic: duration("PT20S", "The same for each address without a credential.", {
    env: ["CAIRN_QUERY_BUDGET_PUBLIC"],
    min: 0,
  }),
  filesUrl: text("", "s3://bucket/prefix?endpoint=... switches from local disk to S3.", {
    env: ["CAIRN_FILES"],
    atStart: true,
    secret: true,
  }),
  workers: integer(
    1,
    "Server processes; `auto`: as many as there are cores, at most 8. On SQLite one of them writes, and all answer.",
    { env: ["CAIRN_WORKERS"], atStart: true, min: 1, auto: () => Math.min(8, availableParallelism()) },
  ),
  drainDelay: duration(
    "PT0S",
    "How long a server that is stopped still accepts connections while /readyz answers 503. Behind a balancer: longer than it takes to notice, such as PT5S.",
    { env: ["CAIRN_DRAIN_DELAY"], atStart: true, min: 0 },
  ),
  publicDir: text("public", "Folder whose files are served first, relative to the project.", {
    env: ["CAIRN_PUBLIC_DIR"],
    atStart: true,
    needed: true,
  }),
  edition: text("pro", "lite, standard or pro.", { env: ["CAIRN_EDITION"], oneOf: ["lite", "standard", "pro"] }),
  trustProxy: strings([], "Addresses of proxies whose X-Forwarded-For is trusted.", {
    env: ["CAIRN_TRUST_PROXY"],
    atStart: true,
    form: proxyAddresses,
  }),
  "admin.build": flag(
    true,
    "Let the server build the admin web app after its start, when there is no build or its sources are newer.",
    { env: ["CAIRN_ADMIN_BUILD"], atStart: true },
  ),
  "extensions.packages": strings([], "Packages in node_modules of the project that are extensions.", { atStart: true }),
  "extensions.eager": flag(false, "Load the code of extensions at the start, not at the first call."),
  "extensions.memoryLimit": integer(512, "Megabytes that the code of all extensions together may take.", {
    min: 64,
    atStart: true,
  }),
  "extensions.timeFactor": integer(1, "Multiplies the time limits of calls of extensions, for slow machines.", {
    env: ["CAIRN_EXTENSIONS_TIME_FACTOR"],
    min: 1,
    max: 100,
  }),
  "extensions.storeLimit": integer(100_000_000, "Bytes that one extension may keep in its store."),
  environment: text("production", "production or development.", { oneOf: ["production", "development"] }),
  "log.level": text("info", "trace, debug, info, warn, error or silent.", {
    env: ["CAIRN_LOG_LEVEL"],
    atStart: true,
    oneOf: ["trace", "debug", "info", "warn", "error", "silent"],
  }),
  "api.maxBodySize": integer(10_485_760, "Largest JSON body, in bytes.", { atStart: true }),
  "api.maxPublicBodySize": integer(
    262_144,
    "Largest body of callers without credentials, in bytes; file uploads have files.maxUploadSize.",
  ),
  "api.corsOrigins": strings(["*"], "Origins that may read by browser script, without credentials."),
  "cors.origins": strings(
    [],
    "Origins whose browser scripts may also write to the API and to webhooks of automations, without cookies; *: all.",
    { form: webOrigins },
  ),
  "cors.methods": strings(corsMethods, "Methods that these origins may send.", { oneOf: corsMethods }),
  "api.rateLimit": integer(600, "Requests a minute from one address without credentials; 0: no limit."),
  "api.keyRateLimit": integer(0, "Requests a minute with one API key; 0: no limit."),
  "api.tokenRateLimit": integer(0, "Requests a minute with the access tokens of one grant; 0: no limit."),
  "api.sessionRateLimit": integer(0, "Requests a minute by one signed-in user; 0: no limit."),
  "auth.loginLimit": integer(
    10,
    "Failed logins for one account from one address, within auth.loginWindow; 0: no limit.",
  ),
  "auth.addressLimit": integer(100, "Failed logins from one address, within auth.loginWindow; 0: no limit."),
  "auth.loginWindow": duration("PT15M", "How long failed logins count."),
  "auth.publicRegistration": strings([], "Collections that are open for registration; auth or none.", {
    oneOf: ["auth"],
  }),
  "auth.registrationGroups": strings([memberGroup], "Access groups of users who register; at least one, never admin."),
  "auth.registrationProperties": strings(
    ["name"],
    "Properties of users that a registration may set, besides address and password.",
  ),
  "auth.minPasswordLength": integer(8, "Minimum length of a user's password, in characters.", { min: 8, max: 64 }),
  "auth.resetTokenExpiry": integer(30, "Minutes for which a link to reset a password works.", { min: 1 }),
  "auth.verificationTokenExpiry": integer(1_440, "Minutes for which a link to verify an e-mail address works.", {
    min: 1,
  }),
  "auth.usePasskeys": flag(true, "Let people sign in by passkey; needs the Standard edition."),
  "oauth.enabled": flag(true, "Let other applications ask users for access; needs the Pro edition."),
  "oauth.dynamicRegistration": flag(true, "Let applications register themselves."),
  "oauth.clientIdMetadataDocuments": flag(
    false,
    "Let an application name the address of a document as its id; the server fetches it when a user is asked.",
  ),
  "oauth.accessTokenTtl": duration("PT1H", "How long an access token works."),
  "oauth.refreshTokenTtl": duration("P30D", "How long a refresh token works, from its issue."),
  "oauth.grantMaxDays": integer(
    0,
    "Days after the user's approval at which an application must ask again, however often it refreshed; 0: never.",
  ),
  "oauth.authCodeTtl": duration("PT10M", "How long an authorization code works."),
  "oauth.tokenEndpointLimit": integer(60, "Requests a minute from one address to /oauth/token; 0: no limit."),
  "oauth.dynamicRegistrationLimit": integer(60, "Registrations an hour from one address; 0: no limit."),
  "smtp.host": text("", "Mail server; empty: no mail is sent."),
  "smtp.port": integer(587, "Port of the mail server.", { min: 1, max: 65_535 }),
  "smtp.secure": text("starttls", "starttls, tls, or none (only for a server on this machine).", {
    oneOf: ["starttls", "tls", "none"],
  }),
  "smtp.user": text("", "Name to sign in to the mail server with; empty: no sign-in."),
  "smtp.password": text("", "Password for the mail server.", { secret: true }),
  "smtp.from": text("", "Sender address of mail."),
  "smtp.fromName": text("Cairn", "Sender name of mail."),
  "smtp.maxPerHour": integer(0, "Mails of the mailer in an hour; further ones wait. 0: no limit."),
  "smtp.maxPerDay": integer(0, "Mails of the mailer in a day; further ones wait. 0: no limit."),
  "mailer.allowedRecipients": strings(
    [],
    "Addresses and domains that the mailer may send to, subdomains included; none: all.",
  ),
  "mailer.allowedSenders": strings(
    [],
    "Sender addresses and domains allowed besides smtp.from, subdomains included; none: smtp.from only.",
  ),
  "webhooks.allowPrivateHosts": flag(
    false,
    "Let outbound webhooks reach private addresses, such as those of an intranet.",
  ),
  "webhooks.timeout": integer(15, "Seconds that a receiver of a webhook has to answer.", { min: 1 }),
  "webhooks.retryDelays": strings(
    ["PT5S", "PT5M", "PT30M", "PT2H", "PT5H", "PT10H", "PT14H", "PT20H", "PT24H"],
    "How long to wait before each further attempt to deliver a webhook.",
  ),
  "webhooks.disableAfter": duration("P5D", "A webhook is switched off when it has failed for this long."),
  "webhooks.keepDeliveries": duration("P30D", "How long the log of deliveries is kept."),
  "views.timeLimit": integer(30, "Seconds that building a data view may take.", { min: 1 }),
  "views.memoryLimit": integer(64, "Megabytes that building a data view may take.", { min: 16 }),
  "views.maxSize": integer(4_000_000, "Largest result of a data view, in bytes.", { min: 1 }),
  "sitemap.maxAddresses": integer(50_000, "Addresses in one file of a sitemap; search engines accept no more.", {
    min: 1,
    max: 50_000,
  }),
  "site.name": text("Cairn", "Name of the site, as the admin shows it.", {
    needed: true,
    form: { about: "one line of at most 100 characters", fits: (name) => name.length <= 100 && !/\p{Cc}/u.test(name) },
  }),
  "site.enabled": flag(
    true,
    "Serve the website: pages, redirects and forms. Off: Cairn serves files and the API alone.",
  ),
  "site.adminHost": text(
    "",
    "Host of the admin, such as cms.example.org: sessions and the pages for them exist on it alone. Empty: on every host.",
    { form: hostName },
  ),
  "site.indexed": flag(true, "Let search engines index the website. Off: robots.txt refuses all of it."),
  "site.trailingSlash": text("never", "Addresses of pages end with a slash: never, always, or ignore for both.", {
    oneOf: ["never", "always", "ignore"],
  }),
  "site.redirectMoved": flag(
    true,
    "When the address of an object or page changes, redirect the old one to the new one.",
  ),
  "site.csp": object({}, "Directives of the content policy of pages, by name; they replace the defaults."),
  "site.maxAge": integer(0, "Seconds that browsers may keep a page without asking again."),
  "site.sharedMaxAge": integer(0, "Seconds that a CDN may keep a page; above 0 pages carry Cache-Tag."),
  "site.stale": duration("PT0S", "How long an old page may be sent while its new version is rendered.", { min: 0 }),
  "site.cacheSize": integer(64, "Megabytes of pages that each process keeps in memory; 0 keeps none."),
  "site.renderLimit": integer(
    120,
    "Pages a minute that are rendered for one address; ten times as many for a signed-in user. Kept pages do not count. 0: no limit.",
    { env: ["CAIRN_SITE_RENDER_LIMIT"] },
  ),
  "forms.maxBytes": integer(25_000_000, "Bytes of one form with all its files.", { min: 1 }),
  "forms.rateLimit": integer(
    5,
    "Times a minute that one address may send a form; six times that in an hour. 0: no limit.",
  ),
  locales: strings([], "Languages of the site's texts, such as en and pt_BR; the first is the default.", {
    form: {
      about: "a list of languages such as en or pt_BR",
      fits: (locale) => /^[a-z]{2,3}(?:_[A-Z][A-Za-z]+)?$/.test(locale),
    },
  }),
  timezone: text("UTC", "Time zone of schedules, such as Europe/Paris.", { type: "timezone" }),
  "jobs.runInServer": flag(
    true,
    "Let the server run jobs and schedules; otherwise `cairn automations:process` must be called every minute.",
    { atStart: true },
  ),
  "automations.webhookLimit": integer(
    60,
    "Calls a minute from one address to webhooks of automations that need no key; 0: no limit.",
  ),
  "automations.queueLimit": integer(1_000, "Queued runs of one automation; further ones are refused. 0: no limit."),
  "automations.timeLimit": integer(30, "Seconds that a handler may run.", { min: 1 }),
  "automations.memoryLimit": integer(64, "Megabytes that a handler may use.", { min: 16 }),
  "automations.allowPrivateHosts": flag(
    false,
    "Let handlers fetch from private addresses, such as those of an intranet.",
  ),
  "automations.keepRuns": integer(50, "Finished runs of an automation that are kept.", { min: 5 }),
  "metrics.openOnLoopback": flag(
    false,
    "Let callers on this machine read /metrics without a key. Do not use it behind a proxy on this machine: all its requests look local.",
  ),
  "mcp.enabled": flag(true, "Offer the MCP endpoint at /mcp."),
  "mcp.publicAccess": flag(
    false,
    "Let clients without credentials use the MCP endpoint; they see what is open to the public.",
  ),
  "mcp.allowedOrigins": strings([], "Origins of browser pages that may use the MCP endpoint; *: all."),
  "mcp.publicIpPerMinute": integer(
    60,
    "Requests a minute to the MCP endpoint from one address without credentials; 0: no limit.",
  ),
  "mcp.toolPrefix": text("", "Put before the name of each MCP tool, with an underscore; for clients of several sites."),
  "mcp.subscriptionsEnabled": flag(true, "Send MCP clients notices of the changes that they subscribed to."),
  "import.maxSize": integer(2_147_483_648, "Largest import file, in bytes; it is streamed."),
  "htmlclean.enabled": flag(true, "Clean HTML in text values when they are written."),
  "htmlclean.allowedIframeDomains": strings(
    ["www.youtube.com", "www.youtube-nocookie.com", "player.vimeo.com"],
    "Hosts allowed in an iframe.",
  ),
  "htmlclean.allowedCssProperties": strings(
    [],
    "CSS properties kept in style attributes; none: style attributes are dropped.",
  ),
  "htmlclean.allowedTags": strings([], "Tags that are kept; none: the shipped list."),
  "files.maxUploadSize": integer(2_147_483_648, "Largest file that may be uploaded, in bytes; it is streamed.", {
    min: 1,
  }),
  "files.allowPrivateHosts": flag(
    false,
    "Let uploads by URL, documents of OAuth clients and the MCP doctor of the admin reach private addresses, such as those of an intranet.",
  ),
  "files.handover": text(
    "",
    "x-accel-redirect or x-sendfile: the server in front sends files from local disk; empty: Cairn does.",
    { oneOf: ["", "x-accel-redirect", "x-sendfile"] },
  ),
  "files.handoverPrefix": text(
    "/protected-files/",
    "Prefix that x-accel-redirect puts before the path below the data directory.",
  ),
  maxDownloadSize: integer(2_048, "Largest file that an upload by URL fetches, in megabytes; 0: no limit."),
  "images.maxPixels": integer(100_000_000, "Largest image that is decoded, in pixels.", { min: 1 }),
  "images.cacheSize": integer(
    2_147_483_648,
    "Disk space for derived images, in bytes; the least recently used are removed first.",
  ),
  "cache.memory": integer(
    256,
    "Megabytes that all caches in the memory of one process take together; the largest gives way first, and 0 keeps nothing.",
  ),
  "imageworks.defaults": object({}, "Image parameters for requests that do not send them."),
  "imageworks.presets": object(
    {
      small: { w: 300, h: 200 },
      "small-crop": { w: 300, h: 300, fit: "crop" },
      medium: { w: 600, h: 400 },
      "medium-crop": { w: 600, h: 600, fit: "crop" },
    },
    "Image parameters by name, for the parameter p.",
  ),
  "imageworks.watermarksGallery": text("watermarks", "Object of the collection gallery that holds watermarks."),
  "imageworks.watermarkFontsDepot": text(
    "watermark-fonts",
    "Object of the collection depot that holds fonts for watermarks.",
  ),
  "imageworks.gatherLocation": flag(
    false,
    "Keep the location of an image, if its file has one: in its value and in the stored picture.",
  ),
  "sync.url": text("", "API root of the remote instance, such as https://example.org/api.", { form: webAddress }),
  "sync.key": text("", "API key for the remote instance.", { secret: true }),
  "sync.timeout": integer(60, "Seconds that push and pull wait for the remote instance to answer.", { min: 1 }),
  "sync.maxBodySize": integer(67_108_864, "Largest definition that sync accepts, in bytes.", {
    atStart: true,
    min: 1,
  }),
} as const satisfies Record<string, Setting<Json>>;

export type SettingKey = keyof typeof settingsTable;
type Widen<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly string[]
        ? string[]
        : T extends JsonObject
          ? JsonObject
          : never;
export type SettingValue<K extends SettingKey> = Widen<(typeof settingsTable)[K]["default"]>;
