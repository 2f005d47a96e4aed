// The thread of strip-types.ts.

import { stripTypeScriptTypes } from "node:module";
import { parentPort } from "node:worker_threads";

parentPort?.on("message", ({ id, text }: { id: number; text: string }) => {
  try {
    parentPort?.postMessage({ id, code: stripTypeScriptTypes(text) });
  } catch (error) {
    const { message } = error as Error;
    parentPort?.postMessage({ id, problem: message.trim().split("\n")[0] });
  }
});
