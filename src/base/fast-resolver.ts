// Resolves this project's own files without Node's search, which took a sixth of a start.
// Call it before they are imported. Packages are resolved as usual.

import { registerHooks } from "node:module";

const src = new URL("../", import.meta.url).href;

export function installFastResolver(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const from = specifier.startsWith("#") ? src : specifier.startsWith("./") ? context.parentURL : undefined;
      if (!from?.startsWith(src) || !specifier.endsWith(".ts")) return next(specifier, context);
      return { url: new URL(specifier.replace("#", ""), from).href, format: "module-typescript", shortCircuit: true };
    },
  });
}
