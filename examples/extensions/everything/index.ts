import type { Cairn, JsonObject } from "cairn/extension";

const notes = "notes";

export function register(cairn: Cairn): void {
  // Acts as the caller: everybody counts what they may read.
  cairn.route("count", async (call) => {
    const { total } = await call.as.objects.query(notes, { limit: 1 });
    return { body: { greeting: cairn.settings.get<string>("greeting"), count: total } };
  });
  cairn.route("add", async (call) => {
    const { title } = call.body as { title: string };
    return { status: 201, body: await call.as.objects.create(notes, { id: call.params.id ?? "", title }) };
  });
  // Acts as the extension: within its approved permissions.
  cairn.siteRoute("notes", async () => {
    const all = await cairn.own.objects.list(notes, { sort: "id" });
    return { headers: { "content-type": "text/plain" }, body: all.map(({ title }) => `${title}\n`).join("") };
  });

  cairn.field("rating", {
    normalise: (values) =>
      values.map(({ value }) => ({ value: typeof value === "number" ? Math.round(value) : value })),
  });
  cairn.filter("stars", (value, of = 5) => {
    const full = Math.max(0, Math.min(Number(value) || 0, Number(of)));
    return cairn.html(`<span title="${full}">${"★".repeat(full)}${"☆".repeat(Number(of) - full)}</span>`);
  });

  cairn.tool("notes_count", async (call) => ({ count: (await call.as.objects.query(notes, { limit: 1 })).total }));
  cairn.resource("note", {
    read: async (_uri, { id = "" }, call) => ({ text: String((await call.as.objects.get(notes, id)).title) }),
  });
  cairn.prompt("sum_up_notes", async (_call, { tone = "plain" }) => `Sum up all notes in a ${tone} tone.`);

  cairn.command("everything:count", async (call, options) => {
    const filter: JsonObject = options.published ? { draft: false } : {};
    const { total } = await cairn.own.objects.query(notes, { limit: 1, filter });
    await call.print(call.isJson ? JSON.stringify({ count: total }) : `${total} notes`);
  });

  // At least once: the same event may come twice, so it stores and does not add.
  cairn.reaction("noted", async (_call, event) => {
    await cairn.store.set("last", { id: event.id ?? null });
  });
  cairn.check("no-shouting", async (_call, { after }) => {
    const title = String(after?.title ?? "");
    const isShouting = title.length > 3 && title === title.toUpperCase() && title !== title.toLowerCase();
    if (isShouting) return { ok: false, details: { title: ["must not be in capital letters"] } };
    return title === title.trim() ? { ok: true } : { ok: true, changes: { title: title.trim() } };
  });
  cairn.schedule("nightly", async () => {
    await cairn.own.jobs.add("later", { from: "nightly" });
  });
  cairn.schedule("later", async (_call, payload) => {
    await cairn.store.set("later", payload);
  });

  cairn.formAction("note", async (_call, sent) => {
    await cairn.own.objects.create(notes, { title: String(sent.values.title ?? sent.form) });
  });
  cairn.formGuard("words", async (sent) => {
    const text = JSON.stringify(sent.values).toLowerCase();
    const word = cairn.settings.get<string[]>("refused").find((one) => text.includes(one.toLowerCase()));
    return word === undefined ? { spam: false } : { spam: true, reason: `It has the word ${word}.` };
  });
  cairn.pageStep("members", async (visit) => (visit.user ? "go" : { redirect: "/login", status: 302 }));
  cairn.searchProvider("titles", {
    search: async ({ words }) => {
      const all = await cairn.own.objects.list(notes, { limit: 100 });
      const hits = all.filter(({ title }) => String(title).toLowerCase().includes(words.toLowerCase()));
      return { hits: hits.map(({ id }) => ({ id: String(id), score: 1 })), total: hits.length };
    },
  });
}

export function stop(): void {}
