// Test files that cannot run against several nodes behind a balancer (CAIRN_TEST_NODES): there they run against one, each with its
// reason. What of the product is of one node is in docs/guides/nodes.md.

const reasons: Record<string, readonly string[]> = {
  "they write definition files to the data directory of one node and count on them at once; other nodes follow a moment later":
    ["tests/http/site/caches.test.ts", "tests/http/site/page-cache.test.ts"],
  "they look for files of objects in the data directory, and several nodes keep them in a bucket": [
    "tests/http/files/chunks.test.ts",
    "tests/http/history/attic.test.ts",
  ],
  "they count requests exactly; nodes add their counts up four times a second": [
    "tests/http/access/rate-limits.postgres.test.ts",
    "tests/http/access/rate-limits.test.ts",
  ],
  "they read metrics, which are of one node": ["tests/http/site/health.test.ts"],
  "they read the audit log by the API, which shows that of one node": [
    "tests/http/access/audit.test.ts",
    "tests/oauth/records.test.ts",
  ],
  "they count lines of the log of OAuth, a file of each node": ["tests/oauth/housekeeping.test.ts"],
  "they start a second server themselves, and watch what the first one waits for": [
    "tests/mcp/two-servers.postgres.test.ts",
    "tests/oauth/two-servers.postgres.test.ts",
  ],
  "they give a server a data directory that has no site key yet": ["tests/http/content/engines.postgres.test.ts"],
};

export const oneNode: ReadonlySet<string> = new Set(Object.values(reasons).flat());
