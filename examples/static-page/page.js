// Lists recipes and sends a new one, from a page on another origin than Cairn. The address of Cairn is the parameter `cairn`.

import { createClient } from "./cairn/client.js";

const url = new URLSearchParams(location.search).get("cairn") ?? "http://127.0.0.1:8080";
const recipes = createClient({ url }).collection("recipes");
const list = document.getElementById("recipes");
const state = document.getElementById("state");

async function show() {
  const result = await recipes.query().sort("title").fields("title", "minutes").list();
  if (!result.ok) {
    state.textContent = result.error.message;
    return;
  }
  list.replaceChildren(
    ...result.data.map(({ title, minutes }) => {
      const entry = document.createElement("li");
      entry.textContent = minutes === undefined ? title : `${title} (${minutes} min)`;
      return entry;
    }),
  );
}

document.getElementById("new").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const { title, minutes } = Object.fromEntries(new FormData(form));
  const result = await recipes.create({ title, ...(minutes !== "" && { minutes: Number(minutes) }) });
  state.textContent = result.ok ? `${result.data.title} is stored.` : result.error.message;
  if (result.ok) {
    form.reset();
    await show();
  }
});

await show();
