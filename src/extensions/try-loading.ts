// Whether the code of an extension can be loaded, and supplies what its manifest names. For its author: it runs `register`.

import { join } from "node:path";
import { version as cairnVersion } from "#base/version.ts";
import type { FoundExtension } from "./discover.ts";
import { createHost, HostCrash, type HostOrder } from "./host/host.ts";
import { functionNames } from "./manifest/read-manifest.ts";
import { runSandboxed } from "./sandbox/run-sandboxed.ts";

const memoryLimit = 512;

/** Undefined: it can be loaded. */
export async function loadProblemOf({ manifest, folder, files, mark }: FoundExtension): Promise<string | undefined> {
  if (manifest?.entrypoint === undefined) return undefined;
  const { id, version, entrypoint, runtime } = manifest;
  const functions = functionNames(manifest);
  // No function has this name: the code is loaded, and nothing of it is called.
  const order: HostOrder = {
    extension: { id, version, cairnVersion, folder, dataFolder: null, entrypoint: join(folder, entrypoint), functions },
    kind: "loading",
    name: "",
    args: [],
    actor: { kind: "system", groups: [] },
    requestId: "",
    settings: {},
    generation: { version: 0, code: mark },
    began: () => {},
    answer: () => Promise.reject(new Error("Nothing is answered while an extension is checked.")),
  };
  const host = createHost({
    log: () => {},
    crashed: () => {},
    ended: () => {},
    answer: () => Promise.reject(new Error("Nothing is answered while an extension is checked.")),
    memoryLimit: () => memoryLimit,
  });
  try {
    if (runtime === "node") await host.call(order);
    else await runSandboxed({ ...order, files, mark }, () => {});
    return undefined;
  } catch (error) {
    if (error instanceof HostCrash) {
      // In the sandbox the last step, the missing function, looks like any other crash.
      const isDone = runtime === "node" ? !error.isLoading : /not a function/.test(error.message);
      return isDone ? undefined : error.message;
    }
    throw error;
  } finally {
    await host.close();
  }
}
