// The guides and rules of Cairn for AI clients. Pages are named by their path with dots: `guides.querying`, `spec.objects`. They
// are read once, when the first of them is asked for.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface Cairn {
  folder: string;
  fail(status: number, message: string): never;
  tool(name: string, run: (call: unknown, args: Record<string, unknown>) => Promise<object>): void;
  resource(name: string, run: { read(uri: string, params: { page: string }): Promise<string | null> }): void;
}

interface Section {
  page: string;
  anchor: string;
  title: string;
  text: string;
  lower: string;
}

let read: Promise<Map<string, Section[]>> | undefined;

export function register(cairn: Cairn): void {
  const docs = join(cairn.folder, "..", "..", "..", "..", "docs");
  const pages = () => {
    read ??= readPages(docs);
    return read;
  };
  cairn.tool("docs_search", async (_call, { words, limit = 8 }) => {
    const all = [...(await pages()).values()].flat();
    return { sections: search(all, String(words)).slice(0, Number(limit)) };
  });
  cairn.tool("docs_get", async (_call, { page, anchor = "" }) => {
    const sections =
      (await pages()).get(String(page)) ?? cairn.fail(404, "There is no such page. docs_search finds pages.");
    const chosen = anchor === "" ? sections : sections.filter((section) => section.anchor === anchor);
    if (chosen.length === 0) cairn.fail(404, `The page has no section "${String(anchor)}".`);
    return { page: String(page), text: chosen.map(({ text }) => text).join("\n") };
  });
  cairn.resource("page", {
    async read(_uri, { page }) {
      const sections = (await pages()).get(page);
      return sections ? sections.map(({ text }) => text).join("\n") : null;
    },
  });
}

async function readPages(docs: string): Promise<Map<string, Section[]>> {
  const found = new Map<string, Section[]>();
  for (const folder of ["guides", "spec", ""]) {
    const names = await readdir(join(docs, folder)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(".md"))) {
      const page = [folder, name.slice(0, -3)].filter(Boolean).join(".");
      found.set(page, sectionsOf(page, await readFile(join(docs, folder, name), "utf8")));
    }
  }
  return found;
}

/** A section begins with a heading; its anchor is that of its heading. */
function sectionsOf(page: string, text: string): Section[] {
  return text.split(/^(?=#{1,4} )/m).flatMap((part) => {
    const title = /^#{1,4} (.+)$/m.exec(part)?.[1] ?? "";
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-");
    return part.trim() === "" ? [] : [{ page, anchor, title, text: part.trimEnd(), lower: part.toLowerCase() }];
  });
}

/** Sections with all words; those with words in the title, and with more of them, first. */
function search(all: readonly Section[], sent: string): object[] {
  const words = sent.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  return all
    .filter(({ lower }) => words.every((word) => lower.includes(word)))
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .sort((a, b) => b.score - a.score)
    .map(({ section: { page, anchor, title, text, lower } }) => {
      const at = Math.max(0, lower.indexOf(words[0] ?? "", title.length) - 80);
      return {
        page,
        anchor,
        title,
        excerpt: text
          .slice(at, at + 300)
          .replace(/\s+/g, " ")
          .trim(),
      };
    });
}

function scoreOf({ title, lower }: Section, words: readonly string[]): number {
  const inTitle = words.filter((word) => title.toLowerCase().includes(word)).length;
  const count = words.reduce((sum, word) => sum + Math.min(5, lower.split(word).length - 1), 0);
  return inTitle * 10 + count;
}
