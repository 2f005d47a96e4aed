// Reads, creates and deletes recipes with a key. `cairn types` writes the interface below for your own collections.

import { createClient } from "../../client/src/client.ts";

interface Collections {
  recipes: { id: string; title: string; minutes?: number };
}

const { CAIRN_URL = "http://127.0.0.1:8080", CAIRN_KEY = "" } = process.env;
const cairn = createClient<Collections>({ url: CAIRN_URL, auth: { key: CAIRN_KEY } });
const recipes = cairn.collection("recipes");

const made = await recipes.create({ title: "Pancakes", minutes: 20 });
if (!made.ok) {
  console.error(made.error.message, made.error.details ?? "");
  process.exit(1);
}
console.log(`${made.data.id} takes ${made.data.minutes} minutes.`);

for await (const page of recipes.query().where("minutes", { lte: 30 }).sort("title").pages()) {
  if (!page.ok) throw new Error(page.error.message);
  for (const { title } of page.data) console.log(`- ${title}`);
}

const wrong = await recipes.create({ title: "" });
if (!wrong.ok) console.log(`Refused: ${JSON.stringify(wrong.error.details)}`);

await recipes.delete(made.data.id);
