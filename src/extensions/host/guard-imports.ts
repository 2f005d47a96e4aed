// Extensions import their own files, their packages and Node's modules. Files of the server are refused by name: nothing
// outside the facade is a promise, and what is reached around it would break with the next version.

import { registerHooks } from "node:module";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";

/** `serverFolder`: its files may be imported only from itself. */
export function guardImports(serverFolder: string): void {
  const isServers = (url: string | undefined) =>
    url?.startsWith("file:") === true && fileURLToPath(url).startsWith(serverFolder + sep);
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "cairn/extension")
        throw new Error(
          '"cairn/extension" has types alone: write `import type`. Everything else comes with the argument.',
        );
      const found = next(specifier, context);
      if (isServers(found.url) && !isServers(context.parentURL))
        throw new Error(
          `${specifier} is a file of Cairn itself. Extensions reach the service by the argument of register.`,
        );
      return found;
    },
  });
}
