import type { Cairn, FetchInit, Json, JsonObject } from "cairn/extension";

const collection = "blog";

export function register(cairn: Cairn): void {
  async function ask(path: string, init: FetchInit = {}): Promise<Json> {
    const headers = { "x-key": cairn.settings.get<string>("key") };
    const answer = await cairn.own.fetch(`https://search.example.org/${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`The search service answered ${answer.status}.`);
    return answer.text === "" ? null : (JSON.parse(answer.text) as Json);
  }

  const send = ({ id, title, content }: JsonObject) =>
    ask(`objects/${id}`, { method: "PUT", body: { title: title ?? null, content: content ?? null } });

  // When this throws or takes more than 500 ms, the built-in search answers.
  cairn.searchProvider("service", {
    search: async ({ words, limit, offset }) => {
      const query = new URLSearchParams({ q: words, limit: String(limit), offset: String(offset) });
      const { hits, total } = (await ask(`search?${query}`)) as {
        hits: { id: string; score: number }[];
        total: number;
      };
      return { hits, total };
    },
  });
  cairn.reaction("index", async (_call, event) => {
    if (event.type === "object.deleted") await ask(`objects/${event.id}`, { method: "DELETE" });
    else for (const id of event.ids ?? [event.id ?? ""]) await send(await cairn.own.objects.get(collection, id));
  });
  cairn.command("algolia-like:index", async (call) => {
    let count = 0;
    for (let offset = 0; ; offset += 100) {
      const page = await cairn.own.objects.list(collection, { limit: 100, offset, sort: "id" });
      for (const object of page) await send(object);
      count += page.length;
      if (page.length < 100) break;
    }
    await call.print(call.isJson ? JSON.stringify({ count }) : `${count} posts were sent.`);
  });
}
