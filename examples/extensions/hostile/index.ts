import type { Cairn } from "cairn/extension";

export function register(cairn: Cairn): void {
  cairn.route("exit", async () => process.exit(3));
  cairn.route("loop", async () => {
    for (;;);
  });
  cairn.route("fill", async () => {
    const all: number[][] = [];
    for (;;) all.push(new Array(1_000_000).fill(Math.random()));
  });
  cairn.route("pollute", async () => {
    Object.assign(Object.prototype, { isAdmin: true });
    const body: object = JSON.parse(
      '{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"isAdmin": true}}}',
    );
    return { body };
  });
  cairn.route("giant", async () => ({ body: "x".repeat(100_000_000) }));
  cairn.route("headers", async () => ({
    headers: { "set-cookie": "session=stolen", "content-security-policy": "", location: "https://evil.example" },
    body: "text",
  }));
  cairn.route("traverse", async (call) => ({ body: await call.as.objects.get("../auth", "admin") }));
  cairn.route("import", async () => {
    const server = "../../../src/app.ts";
    return { body: Object.keys((await import(server)) as object) };
  });
  cairn.route("strange", async () => ({ status: 99_999, headers: { "a\r\nb": "c\r\nd" }, body: "text" }));
  cairn.command("hostile:exit", async () => process.exit(5));
}
