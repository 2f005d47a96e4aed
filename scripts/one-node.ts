// Test files that cannot run against several nodes behind a balancer (CAIRN_TEST_NODES): there they run against one, each with its
// reason. What of the product is of one node is in docs/guides/nodes.md.

const reasons: Record<string, readonly string[]> = {
  "they write definition files to the data directory of one node and count on them at once; other nodes follow a moment later":
    ["tests/http/site/caches.test.ts", "tests/http/site/page-cache.test.ts", "tests/http/site/settings.test.ts"],
  "they count requests exactly; nodes add their counts up four times a second": [
    "tests/http/access/rate-limits.postgres.test.ts",
    "tests/http/access/rate-limits.test.ts",
    "tests/automations/webhook.test.ts",
    // Also counts on another address after a restart.
    "tests/oauth/token.test.ts",
  ],
  "they write to the server's socket what a balancer itself refuses or changes": [
    "tests/http/files/uploads.test.ts",
    "tests/http/site/bad-input.test.ts",
    "tests/http/site/door.test.ts",
  ],
  "they put an extension into the data directory of one node; several get theirs with the project": [
    "tests/http/history/more-doors.test.ts",
  ],
  "they expect links without the address of the site, which several nodes need": [
    "tests/http/files/protection.test.ts",
    "tests/mcp/offers.test.ts",
    "tests/mcp/reading.test.ts",
  ],
  "they compare answers that name the port of a node": ["tests/http/site/openapi.test.ts"],
  "they count the open streams of a process": ["tests/http/history/limits-of-callers.test.ts"],
  "they count the processes of a server, and its workers": ["tests/http/site/admin-workers.postgres.test.ts"],
  "they read metrics, which are of one node": ["tests/http/site/health.test.ts"],
  "they break the file of the audit log, which is of one node": ["tests/http/access/audit.test.ts"],
  "they count lines of a log in the order of its file, with commands that live at other times": [
    "tests/oauth/housekeeping.test.ts",
  ],
  "they start a second server themselves, and watch what the first one waits for": [
    "tests/mcp/two-servers.postgres.test.ts",
    "tests/oauth/two-servers.postgres.test.ts",
  ],
  "they give a server a data directory that has no site key yet": ["tests/http/content/engines.postgres.test.ts"],
};

export const oneNode: ReadonlySet<string> = new Set(Object.values(reasons).flat());

/** They look for files of objects in the data directory: all nodes have one and the same, instead of a bucket. */
export const oneFolder: ReadonlySet<string> = new Set([
  "tests/http/files/chunks.test.ts",
  "tests/http/files/depots.test.ts",
  "tests/http/files/downloads.test.ts",
  "tests/http/files/editor-files.test.ts",
  "tests/http/files/file-values.test.ts",
  "tests/http/files/renamed-files.test.ts",
  "tests/http/history/attic.test.ts",
  "tests/http/history/attic-names.test.ts",
]);

/**
 * They run against one process where CAIRN_TEST_WORKERS asks for several: they count what one process does (requests, images, open
 * files, pages from memory), or rely on the order in which requests arrive that were sent one after the other.
 */
export const oneProcess: ReadonlySet<string> = new Set([
  "tests/http/access/rate-limits.test.ts",
  "tests/http/content/references.test.ts",
  "tests/http/files/imageworks.sqlite.test.ts",
  "tests/http/files/streams.sqlite.test.ts",
  "tests/http/site/caches.test.ts",
  "tests/http/site/warm-pages.sqlite.test.ts",
]);
