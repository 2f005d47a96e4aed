import assert from "node:assert/strict";
import { test } from "node:test";
import { createFormStore } from "./store.ts";
import { isPlaceStored } from "./values.ts";

const stored = { title: "Stones", body: "Old", card: { street: "A", town: "B" }, deck: [{ id: "x", name: "one" }] };

test("ADM-222 a change makes a top-level property dirty, and typing it back makes it clean", () => {
  const store = createFormStore(stored);
  store.set("title", "Old stones");
  store.set("card.street", "C");
  assert.deepEqual(store.summary().dirty, ["title", "card"]);
  assert.deepEqual(store.changes(), { title: "Old stones", card: { street: "C", town: "B" } });
  store.set("title", "Stones");
  assert.deepEqual(store.summary().dirty, ["card"]);
  store.undo("card");
  assert.deepEqual(store.summary().dirty, []);
  assert.deepEqual(store.values(), stored);
});

test("ADM-222 an emptied property is sent as what was typed, a removed one as null, and an empty one is no change", () => {
  const store = createFormStore(stored);
  store.set("title", "");
  store.set("body", undefined);
  store.set("more", "");
  assert.deepEqual(store.changes(), { title: "", body: null });
});

test("ADM-222 items of a deck are reached by their id", () => {
  const store = createFormStore(stored);
  store.set("deck.x.name", "two");
  assert.equal(store.field("deck.x.name").value, "two");
  assert.deepEqual(store.changes(), { deck: [{ id: "x", name: "two" }] });
  assert.equal(stored.deck[0]?.name, "one");
});

test("ADM-223 a key press calls the listeners of its field, not those of others", () => {
  const store = createFormStore(stored);
  const calls: string[] = [];
  for (const path of ["title", "body", "card", "card.street", "card.town"])
    store.subscribe(path, () => calls.push(path));
  const end = store.subscribeSummary(() => calls.push("summary"));
  store.set("title", "a");
  assert.deepEqual(calls.splice(0), ["summary", "title"]);
  store.set("title", "ab");
  assert.deepEqual(calls.splice(0), ["title"], "the state line stays when the number of changes does");
  store.set("card.street", "c");
  assert.deepEqual(calls.splice(0), ["summary", "card", "card.street"]);
  end();
  assert.equal(store.field("body"), store.field("body"));
  const before = store.field("title");
  store.set("body", "new");
  assert.equal(store.field("title"), before);
});

test("ADM-224 a field is checked once it was left, then at each change; all errors can be replaced", () => {
  const store = createFormStore(stored, (path, values) =>
    path === "title" && values.title === "" ? "Empty" : undefined,
  );
  store.set("title", "");
  assert.equal(store.field("title").error, undefined);
  store.touch("title");
  assert.equal(store.field("title").error, "Empty");
  store.set("title", "x");
  assert.equal(store.field("title").error, undefined);
  store.set("title", "");
  assert.equal(store.field("title").error, "Empty");
  store.setErrors(new Map([["card.street", "Unknown street"]]));
  assert.equal(store.field("title").error, undefined);
  assert.equal(store.field("card.street").error, "Unknown street");
  store.set("card.street", "D");
  assert.equal(store.summary().errors.size, 0);
});

test("ADM-225 after a save the sent values are stored ones; what was typed meanwhile stays a change", () => {
  const store = createFormStore(stored);
  store.set("title", "Sent");
  store.set("body", "Sent too");
  const sent = store.changes();
  store.set("body", "Typed since");
  store.rebase({ ...stored, title: "Sent, cleaned", body: "Sent too", modified: "now" }, sent);
  assert.equal(store.values().title, "Sent, cleaned");
  assert.deepEqual(store.changes(), { body: "Typed since" });
});

test("ADM-225 changes stay when the object was stored by somebody else, and the rest is theirs", () => {
  const store = createFormStore(stored);
  store.set("title", "Mine");
  store.rebase({ ...stored, title: "Theirs", body: "Theirs" });
  assert.deepEqual(store.changes(), { title: "Mine" });
  assert.equal(store.values().body, "Theirs");
  store.discard();
  assert.equal(store.values().title, "Theirs");
});

test("ADM-226 kept changes are laid over the object; discarding takes them back", () => {
  const store = createFormStore(stored);
  store.lay({ title: "Kept", body: null, gone: undefined });
  assert.deepEqual(store.summary().dirty, ["title", "body"]);
  assert.equal(store.values().body, undefined);
  store.discard();
  assert.deepEqual(store.values(), stored);
  assert.deepEqual(store.summary().dirty, []);
});

test("ADM-416 a file has a place once its deck item is stored; a card needs none", () => {
  const values = { ...stored, deck: [{ id: "x" }, { id: "new" }] };
  const isStored = (path: string) => isPlaceStored({ base: stored, values }, path);
  assert.deepEqual(["image", "card.image", "deck.x.image", "deck.new.image"].map(isStored), [true, true, true, false]);
  assert.equal(isPlaceStored({ base: {}, values }, "deck.x.image"), false);
});

test("ADM-317 what a dialog holds of an item is kept with the changes, and is no value of the form", () => {
  const store = createFormStore(stored);
  store.set("title", "Typed");
  store.setDraft("deck.x", { id: "x", name: "half" });
  store.setDraft("deck.new", { id: "new", name: "other" });
  const deck = [
    { id: "x", name: "half" },
    { id: "new", name: "other" },
  ];
  assert.deepEqual(store.changesWithDrafts(), { title: "Typed", deck });
  assert.deepEqual(store.changes(), { title: "Typed" });
  store.setDraft("deck.x", undefined);
  store.setDraft("deck.new", undefined);
  assert.deepEqual(store.changesWithDrafts(), { title: "Typed" });
});
