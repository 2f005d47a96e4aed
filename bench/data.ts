// The benchmark's content: objects of about 2 kB, the same on every run. Object n is always the same object.

import { once } from "node:events";
import { createWriteStream } from "node:fs";

export const collection = "bench";

export const schema = {
  id: "bench",
  description: "Articles for the benchmark",
  properties: {
    id: { type: "string", field: "text" },
    title: { type: "string", field: "text" },
    body: { type: "string", field: "styledtext" },
    tags: { type: "array", field: "list", items: { type: "string" } },
    status: { type: "string", field: "text" },
    price: { type: "number", field: "number" },
    published: { type: "string", field: "text" },
  },
  required: ["id", "title"],
  index: ["id", "title", "tags", "status", "price", "published"],
};

/** The same articles, with their texts searched and filtered as well. */
export const texts = "texts";
export const textSchema = { ...schema, id: "bench-texts", index: [...schema.index, "body"] };

export interface Article {
  id: string;
  title: string;
  body: string;
  tags: string[];
  status: string;
  price: number;
  published: string;
}

const words =
  "stone path ridge summit valley river cloud winter morning shelter compass lantern meadow glacier signal weather".split(
    " ",
  );
/** Six of ten are live, the others are spread evenly. */
const statuses = ["live", "live", "live", "live", "live", "live", "draft", "review", "held", "retired"];
export const distinctStatuses = [...new Set(statuses)];
/** One object in a hundred has a given topic in its title. */
export const topicOf = (n: number) => `topic${String(n % 100).padStart(2, "0")}`;

export function makeArticle(n: number, length = 6): Article {
  const random = randomFrom(n);
  const pick = () => words[Math.floor(random() * words.length)] as string;
  const sentence = (length: number) => Array.from({ length }, pick).join(" ");
  const paragraphs = Array.from({ length }, () => `<p>${sentence(20)} <strong>${pick()}</strong> ${sentence(18)}.</p>`);
  return {
    id: `article-${String(n).padStart(7, "0")}`,
    title: `${sentence(3)} ${topicOf(n)} ${sentence(2)}`,
    body: paragraphs.join(""),
    tags: [...new Set([pick(), pick(), pick()])],
    status: statuses[Math.floor(random() * statuses.length)] as string,
    price: Math.round(random() * 100_000) / 100,
    published: new Date(1_600_000_000_000 + Math.floor(random() * 1e11)).toISOString(),
  };
}

/** A JSON array of the objects first <= n < first + count; `length`: in paragraphs. */
export async function writeArticles(file: string, first: number, count: number, length?: number): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 0; n < count; n += 1) {
    const text = (n === 0 ? "[" : ",\n") + JSON.stringify(makeArticle(first + n, length));
    if (!out.write(text)) await once(out, "drain");
  }
  out.end("]\n");
  await once(out, "close");
}

/** A small generator with a seed (mulberry32), so that runs can be compared. */
export function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
