import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaOf } from "#schemas/build.fixture.ts";
import { withoutLocal, withoutTimes, withReceiverValues } from "./receiver-owned.ts";

const schema = schemaOf(
  {
    title: { type: "string" },
    picture: { type: "image" },
    paper: { type: "file" },
    shots: { type: "gallery" },
    papers: { type: "depot" },
    secret: { type: "password" },
    card: { type: "card", schemaref: "part" },
    deck: { type: "deck", schemaref: "part" },
    saved: { type: "date", settings: { onUpdate: true } },
  },
  {},
  { part: { id: { type: "string" }, name: { type: "string" }, photo: { type: "image" }, pin: { type: "password" } } },
);
const place = { schema, local: [] };
const image = { name: "a.png", size: 1 };

test("SYNC-4 files and passwords are taken out, also those in cards and decks", () => {
  const media = { picture: image, paper: image, shots: [image], papers: { files: [image] }, secret: "x" };
  const part = { name: "n", photo: image, pin: "1" };
  const carried = withoutLocal(place, { title: "t", ...media, card: part, deck: [{ id: "one", ...part }] });
  assert.deepEqual(carried, { title: "t", card: { name: "n" }, deck: [{ id: "one", name: "n" }] });
  const keyed = withoutLocal(place, { deck: { one: part } });
  assert.deepEqual(keyed, { deck: { one: { name: "n" } } });
});

test("SYNC-12 imported values get the stored ones of the same place: by property, in the card, in the item of the same id", () => {
  const current = {
    picture: image,
    card: { name: "old", photo: image },
    deck: [
      { id: "one", name: "old", photo: image },
      { id: "two", name: "old", photo: image },
    ],
  };
  const sent = {
    title: "t",
    card: { name: "new" },
    deck: [
      { id: "two", name: "new" },
      { id: "three", name: "new" },
    ],
  };
  assert.deepEqual(withReceiverValues(place, sent, current), {
    title: "t",
    picture: image,
    card: { name: "new", photo: image },
    deck: [
      { id: "two", name: "new", photo: image },
      { id: "three", name: "new" },
    ],
  });
  assert.deepEqual(withReceiverValues(place, { deck: { one: { name: "new" } } }, current).deck, {
    one: { name: "new", photo: image },
  });
});

test("SYNC-12 service properties are neither sent nor received", () => {
  const views = { schema, local: ["lastBuilt"] };
  assert.deepEqual(withoutLocal(views, { title: "t", lastBuilt: "2024" }), { title: "t" });
  assert.deepEqual(withReceiverValues(views, { title: "t" }, { lastBuilt: "2023" }), { title: "t", lastBuilt: "2023" });
});

test("SYNC-53 times are not compared, those that the schema stamps neither", () => {
  const document = { id: "x", title: "t", saved: "2024", created: "2024", modified: "2024" };
  assert.deepEqual(withoutTimes(schema, document), { id: "x", title: "t" });
});
