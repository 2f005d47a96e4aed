import type { Cairn } from "cairn/extension";

export function register(cairn: Cairn): void {
  cairn.route("hello", async (call) => ({ body: { hello: call.actor.user ?? "world" } }));
}
