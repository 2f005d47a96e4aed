// Tells Node where this project's own files are, so that it need not look for them: a sixth of a start went into that.
// To be called before they are imported. Packages are found as ever.

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
