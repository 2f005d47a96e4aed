// Runs a function of a `sandbox` extension in a QuickJS machine of its own.

import { HostCrash, type HostOrder } from "#extensions/host/host.ts";

export function runSandboxed(_order: HostOrder): Promise<unknown> {
  return Promise.reject(new HostCrash({ message: "The sandbox is not there yet.", stack: "" }));
}
