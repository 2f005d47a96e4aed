// The pages of docs/: each is in the index docs/README.md, and every link between pages leads to a page and a heading that exist.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "..");
const pages = globSync(["*.md", "docs/**/*.md", "bench/*.md"], { cwd: root });
const read = (path: string) => readFileSync(join(root, path), "utf8").replaceAll(/^ *```.*?^ *```/gms, "");

function linksOf(page: string): { page: string; anchor: string | undefined }[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !link.includes("://"))
    .map((link) => link.split("#") as [string, string?])
    .map(([path, anchor]) => ({ page: path === "" ? page : normalize(join(dirname(page), path)), anchor }));
}

/** As GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("every page of the documentation is in its index", () => {
  const listed = new Set(linksOf("docs/README.md").map(({ page }) => page));
  const missing = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md" && !listed.has(page));
  assert.deepEqual(missing, []);
});

test("every link between pages leads somewhere", () => {
  const links = pages.flatMap((from) => linksOf(from).map((to) => ({ from, ...to })));
  assert.ok(links.length > 100);
  const broken = links.filter(
    ({ page, anchor }) => !existsSync(join(root, page)) || (anchor && !anchorsOf(page).includes(anchor)),
  );
  assert.deepEqual(broken, []);
});
