import type { Cairn } from "cairn/extension";

export function register(cairn: Cairn): void {
  cairn.reaction("purge", async (_call, event) => {
    const answer = await cairn.own.fetch("https://cdn.example.org/purge", {
      method: "POST",
      headers: { authorization: `Bearer ${cairn.settings.get<string>("token")}` },
      body: { tags: event.tags ?? [], paths: event.paths ?? [] },
    });
    // Thrown: the reaction is tried again.
    if (!answer.ok) throw new Error(`The CDN answered ${answer.status}.`);
    cairn.log.info("purged", { tags: event.tags ?? [] });
  });
}
