// What selections become in an address.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Collection } from "./collection.ts";
import { resolve } from "./expand.ts";
import { imageSrcset } from "./images.ts";
import { type Filter, parametersOf } from "./query.ts";
import type { Call, Transport } from "./transport.ts";
import type { Expanded } from "./types.ts";

interface Recipe {
  id: string;
  title: string;
  minutes?: number;
  author?: string;
  tags?: string[];
  ingredients?: { id: string; name: string; product?: string }[];
}

const sent = async (build: (recipes: Collection<Recipe>) => Promise<unknown>): Promise<Record<string, string>> => {
  const calls: Call[] = [];
  const transport: Transport = {
    url: "https://cms.example",
    async send(call) {
      calls.push(call);
      return { ok: true, status: 200, headers: new Headers(), body: { data: [] } };
    },
  };
  await build(new Collection<Recipe>(transport, "recipes"));
  return Object.fromEntries([...(calls[0]?.query ?? [])]);
};

test("CLIENT-3 plain conditions are parameters by name", async () => {
  const query = await sent((recipes) =>
    recipes
      .query()
      .where("title", { contains: "pie" })
      .where("minutes", { gte: 5, lt: 30 })
      .where("ingredients.name", "salt")
      .search("apple")
      .sort("title", "-minutes")
      .limit(5)
      .offset(10)
      .fields("title", "cover.url")
      .list(),
  );
  assert.deepEqual(query, {
    "filter[title][contains]": "pie",
    "filter[minutes][gte]": "5",
    "filter[minutes][lt]": "30",
    "filter[ingredients.name]": "salt",
    search: "apple",
    sort: "title:asc,-minutes",
    limit: "5",
    offset: "10",
    fields: "title,cover.url",
  });
});

test("CLIENT-3 groups, lists and repeated names are one JSON filter", async () => {
  const filterOf = async (build: (recipes: Collection<Recipe>) => Promise<unknown>) =>
    JSON.parse((await sent(build)).filter ?? "null");
  assert.deepEqual(
    await filterOf((recipes) =>
      recipes
        .query()
        .or(
          (one) => one.where("title", "a"),
          (one) => one.where("minutes", { lt: 5 }).not((no) => no.where("author", "ada")),
        )
        .list(),
    ),
    { or: [{ title: "a" }, { minutes: { lt: 5 }, not: { author: "ada" } }] },
  );
  assert.deepEqual(
    await filterOf((recipes) =>
      recipes
        .query()
        .where("tags", { in: ["a,b", "c|d"] })
        .list(),
    ),
    {
      tags: { in: ["a,b", "c|d"] },
    },
  );
  assert.deepEqual(
    await filterOf((recipes) =>
      recipes
        .query()
        .not((one) => one.where("title", "a"))
        .not((one) => one.where("title", "b"))
        .list(),
    ),
    { and: [{ not: { title: "a" } }, { not: { title: "b" } }] },
  );
  const filter: Filter<Recipe> = { or: [{ title: "a" }, { "ingredients.name": { empty: true } }] };
  assert.deepEqual(parametersOf({ filter }), [["filter", JSON.stringify(filter)]]);
  // @ts-expect-error there is no such property
  parametersOf<Recipe, never>({ filter: { nosuch: 1 } });
});

test("CLIENT-5 related objects take the place of their ids, at any depth", () => {
  const data = [
    {
      id: "pie",
      author: "ada",
      ingredients: [
        { id: "1", product: "flour" },
        { id: "2", product: "gone" },
      ],
    },
    { id: "soup", author: ["ada", "bo"] },
  ];
  const expand = {
    "author.city": { paris: { id: "paris" } },
    author: { ada: { id: "ada", city: "paris" } },
    "ingredients.product": { flour: { id: "flour" } },
  };
  const before = structuredClone(data);
  assert.deepEqual(resolve(data, expand), [
    {
      id: "pie",
      author: { id: "ada", city: { id: "paris" } },
      ingredients: [
        { id: "1", product: { id: "flour" } },
        { id: "2", product: "gone" },
      ],
    },
    { id: "soup", author: [{ id: "ada", city: { id: "paris" } }, "bo"] },
  ]);
  assert.deepEqual(data, before);
  assert.deepEqual(resolve(data, undefined), data);
  const typed = { id: "x", title: "t" } as Expanded<Recipe, "author" | "ingredients.product">;
  const name: string | undefined = typeof typed.author === "object" ? typed.author.id : typed.author;
  const product = typed.ingredients?.[0]?.product;
  assert.deepEqual([name, typeof product === "object" ? product.id : product], [undefined, undefined]);
});

test("CLIENT-6 a srcset has an address for each width", () => {
  const image = { url: "/imageworks/recipes/pie/cover.jpg?v=1a" };
  assert.equal(
    imageSrcset("https://cms.example", image, { widths: [400, 800], ratio: 0.5, fit: "crop", format: "webp" }),
    "https://cms.example/imageworks/recipes/pie/cover.jpg?v=1a&fit=crop&format=webp&w=400&h=200 400w, " +
      "https://cms.example/imageworks/recipes/pie/cover.jpg?v=1a&fit=crop&format=webp&w=800&h=400 800w",
  );
});
