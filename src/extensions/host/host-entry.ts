// The entry of the host thread. Its code may use all of a core: from here on, and before the rest is even read, the system gives
// the server and its other threads their share first.

import { getPriority, setPriority } from "node:os";

/** Steps of the system's scale (`nice`). */
const steps = 5;

// Of this thread alone, which is what the system counts on Linux. Elsewhere it would be the whole process.
if (process.platform === "linux") {
  try {
    setPriority(Math.min(19, getPriority() + steps));
  } catch {
    // The server may not change it: then all threads are equal.
  }
}
await import("./host-thread.ts");
