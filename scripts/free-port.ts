// A port of the loopback address that no process listens on.

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below those that the system gives out by itself, so that no other process gets it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await new Promise<boolean>((done) => {
      probe.once("error", () => done(false)).once("listening", () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
