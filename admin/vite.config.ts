// How the admin is built: one page, hashed assets, a small script that runs before the others.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Blocks the first paint until the theme is known, so it is a classic script beside the modules. */
function earlyScript(): Plugin {
  const source = () => readFileSync(path("src/early.js"), "utf8");
  return {
    name: "early-script",
    apply: "build",
    buildStart() {
      this.emitFile({ type: "asset", name: "early.js", source: source() });
    },
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) => {
        const found = Object.values(bundle ?? {}).find(
          (part) => part.type === "asset" && part.names.includes("early.js"),
        );
        if (!found) throw new Error("the early script is not in the bundle");
        return [{ tag: "script", attrs: { src: `/admin/${found.fileName}` }, injectTo: "head-prepend" }];
      },
    },
  };
}

/** The widgets come with their sentences in more than thirty languages; those that the admin does not speak stay out. */
function ownLanguages(spoken: readonly string[]): Plugin {
  const sentences = /\/react-(?:aria|stately)\/.*\/intl\/[\w-]+\/([a-z]{2})-[A-Z]{2}\.mjs$/;
  return {
    name: "own-languages",
    apply: "build",
    load(id) {
      const language = sentences.exec(id)?.[1];
      return language && !spoken.includes(language) ? "export default undefined;" : undefined;
    },
  };
}

type Chunking = Rolldown.ChunkingContext;

/** What the first script needs is one file: no page can do without any of it, and each further file is a request. */
function ofEveryPage(): (id: string, context: Chunking) => string | null {
  const first = [path("index.html"), path("src/main.tsx")];
  let needed: Set<string> | undefined;
  return (id, context) => {
    needed ??= reach(context, first);
    return needed.has(id) && !first.includes(id) ? "core" : null;
  };
}

/** The modules with all that they import, but for what they import when it is needed. */
function reach(context: Chunking, modules: string[]): Set<string> {
  const found = new Set(modules);
  for (const id of found) for (const next of context.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  root: path("."),
  base: "/admin/",
  plugins: [earlyScript(), ownLanguages(["en", "de"])],
  resolve: { alias: { "@contract": path("../src/contract"), "@rules": path("../src/rules") } },
  css: { modules: { generateScopedName: "[name]-[local]-[hash:base64:4]" } },
  build: {
    target: "es2022",
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // scripts/check-admin-size.ts has the budgets, compressed.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // "use client" is for servers that render; there is none here.
      onLog: (level, log, next) => void (log.code !== "MODULE_LEVEL_DIRECTIVE" && next(level, log)),
      // What many pages share is one file for all of them: hundreds of small ones would compress badly.
      output: {
        codeSplitting: {
          groups: [
            { name: ofEveryPage(), debugName: "core" },
            { name: "parts", test: /lucide-react|\/admin\/src\/ui\//, minShareCount: 8, maxModuleSize: 6_000 },
          ],
        },
      },
    },
  },
  // For work on the admin itself: `npx vite admin`, beside a server on the usual port.
  server: { proxy: { "^/(api|collections|imageworks|download|stream|setup|login|oauth)": "http://127.0.0.1:8055" } },
});
