import type { Cairn, FieldResult, JsonObject } from "cairn/extension";

export function register(cairn: Cairn): void {
  async function lookUp(value: JsonObject): Promise<FieldResult> {
    if (typeof value.lat === "number" && typeof value.lng === "number") return { value };
    const answer = await cairn.own.fetch(`https://geo.example.org/find?q=${encodeURIComponent(String(value.label))}`);
    if (answer.status === 404) return { error: "is no known address" };
    if (!answer.ok) throw new Error(`The geocoder answered ${answer.status}.`);
    const { lat, lng } = JSON.parse(answer.text) as { lat: number; lng: number };
    return { value: { ...value, lat, lng } };
  }

  // Batched: an import of 100 rows is one call.
  cairn.field("place", {
    normalise: (values) => Promise.all(values.map(({ value }) => lookUp(value as JsonObject))),
  });
  cairn.check("has-place", async (_call, { after }) =>
    after?.place ? { ok: true } : { ok: false, details: { place: ["is required"] } },
  );
}
