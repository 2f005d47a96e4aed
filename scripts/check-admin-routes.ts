// Holds the routes that the admin calls (admin/src/api/routes.ts) against the server's OpenAPI document: each must be there, with
// the same method. The document comes from a server that does not listen, on an empty data directory of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { routes } from "../admin/src/api/routes.ts";

interface Document {
  paths: Record<string, Record<string, unknown>>;
}

/** Problems of a table of routes; names of parameters do not count. */
export function compareRoutes(table: Record<string, string>, document: Document): string[] {
  const shape = (path: string) => path.replace(/\{\w+\}/g, "{}");
  const known = new Set(
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${shape(path)}`),
    ),
  );
  const missing = Object.entries(table).filter(([, route]) => !known.has(shape(route)));
  const seen = new Map<string, string>();
  const doubles = Object.entries(table).filter(([name, route]) => {
    const first = seen.get(route);
    seen.set(route, first ?? name);
    return first !== undefined;
  });
  return [
    ...missing.map(([name, route]) => `routes.ts: ${name}: the server has no ${route}`),
    ...doubles.map(([name, route]) => `routes.ts: ${name}: ${route} has the name ${seen.get(route)} already`),
  ];
}

async function readDocument(): Promise<Document> {
  const { loadSettings } = await import("../src/config/config.ts");
  const { openApp } = await import("../src/app.ts");
  const { createSetupGate } = await import("../src/http/pages/setup.ts");
  const { createServer } = await import("../src/http/server.ts");
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-routes-"));
  const env = { CAIRN_LOG_LEVEL: "silent" };
  const { app, close } = await openApp(loadSettings({ projectDir: dataDir, env, flags: { data: dataDir } }), "server");
  const server = await createServer(app, { setup: await createSetupGate(app, "unused") });
  try {
    const answer = await server.inject({ url: "/api/openapi.json" });
    if (answer.statusCode !== 200) throw new Error(`no document: ${answer.statusCode} ${answer.body}`);
    return answer.json() as Document;
  } finally {
    await server.close();
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const problems = compareRoutes(routes, await readDocument());
  for (const problem of problems) console.error(problem);
  console.log(`admin routes: ${Object.keys(routes).length} routes, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
