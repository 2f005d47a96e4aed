// Test files that run on one database alone, unless everything is asked for (`npm run test:full`). Those on the embedded one are
// about something that is decided before any SQL: parsing, rights, files, templates, protocols. What they store goes through
// statements that the named files run on both engines. A file whose subject has a table or a query of its own is not here.
// Kills are tried where the engine can make a difference: faults/kill, lost-updates, create-race and oauth-races run on both.

import type { Engine } from "../tests/harness.ts";

const embedded: Record<string, readonly string[]> = {
  "requests are read and refused before the database is asked": [
    "tests/http/site/bad-input.test.ts",
    "tests/http/content/bounds.test.ts",
    "tests/http/access/csrf.test.ts",
    "tests/http/site/door.test.ts",
    "tests/http/content/editions.test.ts",
    "tests/http/site/openapi.test.ts",
    "tests/http/access/setup.test.ts",
  ],
  "values and files of objects; documents are stored as in http/objects, http/lists and http/chunks": [
    "tests/http/content/decks.test.ts",
    "tests/http/files/depots.test.ts",
    "tests/http/files/editor-files.test.ts",
    "tests/http/content/fields.test.ts",
    "tests/http/content/properties.test.ts",
    "tests/http/files/file-values.test.ts",
    "tests/http/files/protection.test.ts",
    "tests/http/files/uploads.test.ts",
  ],
  "settings, templates, sitemaps and the audit log are files": [
    "tests/http/access/audit.test.ts",
    "tests/http/site/settings.test.ts",
    "tests/http/site/site.test.ts",
  ],
  "users, groups, sessions and tokens of accounts are stored as in http/auth and http/keys": [
    "tests/http/access/access-groups.test.ts",
    "tests/http/access/impersonation.test.ts",
    "tests/http/access/mail.test.ts",
    "tests/http/access/matrix.test.ts",
    "tests/http/access/passkeys.test.ts",
    "tests/http/access/users.test.ts",
    "tests/cli/users.test.ts",
  ],
  "tools call the operations that http/objects, http/queries and http/search prove; sessions are in mcp/sessions": [
    "tests/mcp/access.test.ts",
    "tests/mcp/offers.test.ts",
    "tests/mcp/reading.test.ts",
    "tests/mcp/views.test.ts",
    "tests/mcp/writing.test.ts",
  ],
  "clients, grants and tokens are stored as in oauth/records and oauth/housekeeping": [
    "tests/oauth/bearer.test.ts",
    "tests/oauth/connections.test.ts",
    "tests/oauth/consent.test.ts",
    "tests/oauth/registration.test.ts",
    "tests/oauth/standard-clients.test.ts",
  ],
  "handlers and rights of their authors; queue, runs and results are in automations/jobs, runs, events and views": [
    "tests/automations/handlers.test.ts",
    "tests/automations/on-behalf.test.ts",
    "tests/automations/webhook.test.ts",
  ],
  "mails, deliveries and notices: their tables are in the contract suites of storage, their queue in automations/jobs":
    ["tests/automations/mailer.test.ts", "tests/automations/outbound-webhooks.test.ts", "tests/mcp/notices.test.ts"],
  "rows that are found by their key: the statements are in the contract suites of storage, and in http/auth and http/keys":
    ["tests/http/access/registration.test.ts", "tests/http/files/downloads.test.ts", "tests/oauth/token.test.ts"],
  "commands call the operations that tests/http proves; start and upkeep are in cli/start and sync/whole-backup": [
    "tests/cli/commands.test.ts",
  ],
  "kills between writes: each write is one transaction, as in faults/kill, oauth-kill, create-race and lost-updates": [
    "tests/faults/definitions-kill.test.ts",
    "tests/faults/large-push.test.ts",
    "tests/faults/oauth-kill.test.ts",
    "tests/faults/sync-kill.test.ts",
    "tests/faults/undo-kill.test.ts",
    "tests/faults/uploads.test.ts",
  ],
  "kills between a transaction and what follows it; the queue that goes on is in faults/automation-runs": [
    "tests/faults/attic.test.ts",
    "tests/faults/form-actions.test.ts",
  ],
  "signals and sockets of the server's process; commands beside a server share the files of the database on SQLite only":
    ["tests/faults/commands.test.ts", "tests/faults/graceful-stop.test.ts"],
  "code of extensions calls operations that tests/http proves; their own rows and events are in manage, reactions and search-providers":
    [
      "tests/extensions/added-parts.test.ts",
      "tests/extensions/agents.test.ts",
      "tests/extensions/checks.test.ts",
      "tests/extensions/examples.test.ts",
      "tests/extensions/failures.test.ts",
      "tests/extensions/field-kinds.test.ts",
      "tests/extensions/forms.test.ts",
      "tests/extensions/routes.test.ts",
      "tests/extensions/site.test.ts",
    ],
  "forms are stored as objects, and followed by jobs, as in http/objects and automations/jobs": [
    "tests/http/site/forms.test.ts",
  ],
  "plans, remotes and definitions; what is written is in sync/import": [
    "tests/sync/jumpstart.test.ts",
    "tests/sync/pull.test.ts",
    "tests/sync/push.test.ts",
  ],
};

const server: Record<string, readonly string[]> = {
  "two workers take jobs by statements that overlap on PostgreSQL only; one after another they are in automations/jobs":
    ["tests/faults/automation-runs.test.ts"],
};

/** The engine that each runs on. */
export const oneEngine: ReadonlyMap<string, Engine> = new Map([
  ...Object.values(embedded).flatMap((files) => files.map((file) => [file, "sqlite"] as const)),
  ...Object.values(server).flatMap((files) => files.map((file) => [file, "postgres"] as const)),
]);
