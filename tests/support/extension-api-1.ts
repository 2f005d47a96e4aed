// An extension as one was written against API 1 when it first came out. It is compiled with everything else, and must go on
// being accepted: do not change it to make it fit.

import type {
  Acting,
  AdminApi,
  Cairn,
  CairnEvent,
  Call,
  CellElement,
  Change,
  CommandCall,
  DeckApi,
  FetchAnswer,
  FieldElement,
  FieldResult,
  FieldValue,
  FileApi,
  Html,
  Json,
  JsonObject,
  PageElement,
  PageVerdict,
  PromptHandler,
  QueryPage,
  ResourceHandlers,
  RouteAnswer,
  RouteCall,
  SearchHandlers,
  Store,
  Submission,
  Verdict,
  Visit,
} from "cairn/extension";

export function register(cairn: Cairn): void {
  cairn.route("near", async (call: RouteCall): Promise<RouteAnswer> => {
    const { id = "" } = call.params;
    if (id === "") cairn.fail(400, "An id is needed.", { id: ["is required"] });
    const found: QueryPage = await call.as.objects.query("places", { limit: 5 });
    return { status: 200, headers: { "x-total": String(found.total) }, body: { user: call.actor.user ?? null } };
  });
  cairn.siteRoute("feed", async () => ({ headers: { "content-type": "text/plain" }, body: "text" }));
  cairn.tool("places_near", async (_call: Call, args: JsonObject) => ({ found: args.lat ?? null }));
  cairn.filter("static_map", (value: Json, size: Json = 1): Html => cairn.html(`<b>${value}${size}</b>`));
  cairn.command("map:geocode", async (call: CommandCall, options: JsonObject, first?: string) => {
    await call.print(call.isJson ? JSON.stringify(options) : `${first}`);
    return 0;
  });
  cairn.reaction("moved", async (call, event: CairnEvent) => {
    if (event.collection && event.id) await call.as.objects.patch(event.collection, event.id, { moved: true });
  });
  cairn.check("in-country", async (_call, { operation, after }: Change): Promise<Verdict> => {
    if (operation === "delete") return { ok: true };
    return after?.country
      ? { ok: true, changes: { checked: true } }
      : { ok: false, details: { country: ["is needed"] } };
  });
  cairn.field("place", {
    normalise: async (values: FieldValue[]): Promise<FieldResult[]> =>
      values.map(({ value }) => (value === null ? { error: "is no place" } : { value })),
  });
  cairn.schedule("nightly", async (call) => cairn.log.info("nightly", { request: call.requestId }));
  cairn.formAction("crm", async (_call, sent: Submission) => cairn.log.debug(sent.form));
  cairn.formGuard("words", async (sent: Submission) => ({ spam: sent.values.text === "spam", reason: "words" }));
  cairn.pageStep("closed", async (visit: Visit): Promise<PageVerdict> => {
    if (visit.user) return "go";
    return visit.path === "/" ? { status: 503, headers: { "retry-after": "60" } } : { redirect: "/", status: 302 };
  });
  const resource: ResourceHandlers = { read: async (uri) => ({ text: uri, mimeType: "text/plain" }) };
  cairn.resource("places", resource);
  const prompt: PromptHandler = async (_call, args) => [{ role: "user", text: args.topic ?? "" }];
  cairn.prompt("describe", prompt);
  const search: SearchHandlers = { search: async () => ({ hits: [{ id: "a", score: 1 }], total: 1 }) };
  cairn.searchProvider("fast", search);
}

export async function useAll(cairn: Cairn, own: Acting, store: Store): Promise<void> {
  const made = await own.objects.create("places", { title: "A" }, { note: "why" });
  const list: JsonObject[] = await own.objects.list("places", { sort: "title" });
  await own.objects.replace("places", String(made.id), { title: "B" }, { ifMatch: "x" });
  await own.objects.delete("places", String(list[0]?.id));
  const count: number = await own.objects.increment("places", "a", "visits");
  const deck: DeckApi = own.deck;
  await deck.create("places", "a", "items", { id: "one" });
  const files: FileApi = own.files;
  await files.read("places", "a", "image");
  await own.mail.send("hello", { name: "Ada", count });
  const job: string = await own.jobs.add("nightly", { all: true });
  const answer: FetchAnswer = await own.fetch("https://geo.example.org/", { method: "POST", body: { job } });
  const text: string = await own.render("ext/acme/map/one", { status: answer.status });
  const known = await store.get("key");
  await store.set("key", text, { rev: known?.rev ?? 0, expires: "2030-01-01T00:00:00Z" });
  const { keys } = await store.list("k");
  await store.delete(keys[0] ?? "key");
  const token: string = cairn.settings.get("token");
  cairn.log.warn(token, cairn.settings.all());
}

export async function useAdmin(page: PageElement, field: FieldElement, cell: CellElement): Promise<void> {
  const api: AdminApi = page.cairn;
  const answer = await api.fetch("/api/ext/acme/map/near/a");
  if (answer.ok && api.can("read", "places")) api.toast(`${api.user.name} ${page.route.path}`, "good");
  const ids = await api.pick({ collection: "places", multiple: true });
  const end = api.subscribe("theme", () => api.navigate("/"));
  if (await api.confirm({ title: field.field.label, text: String(cell.row.id) }))
    api.openObject("places", ids?.[0] ?? "");
  end();
}
