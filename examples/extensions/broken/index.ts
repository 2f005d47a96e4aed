import type { Cairn } from "cairn/extension";

function broken(): never {
  throw new Error("broken on purpose");
}

export function register(cairn: Cairn): void {
  cairn.route("throws", async () => broken());
  cairn.route("rejects-later", async () => {
    setTimeout(broken, 1);
    return { body: "answered" };
  });
  cairn.route("wrong-answer", async () => ({ body: { f: (() => 1) as unknown as string } }));
  cairn.tool("broken_tool", async () => broken());
  cairn.filter("broken_filter", () => broken());
  cairn.command("broken:command", async () => broken());
  cairn.reaction("throws", async () => broken());
  cairn.check("open", async () => broken());
  cairn.check("closed", async () => broken());
  cairn.formGuard("throws", async () => broken());
  cairn.pageStep("throws", async () => broken());
  cairn.searchProvider("throws", { search: async () => broken() });
}
