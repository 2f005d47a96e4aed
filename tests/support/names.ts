// Looks for what the accessibility tree must have, by role and exact name. `missing` says what a part of the page lacks; what
// `see` and its like find is reported together after the test, each with the line that asked for it.

import { relative } from "node:path";
import { afterEach } from "node:test";
import type { Locator, Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];
/** Names by role; `label` finds a control by its label alone, `text` any text. */
export type Names = Partial<Record<Role | "label" | "text", string | readonly string[]>>;

const lacking: string[] = [];
/** For what is there, a busy machine may take long; what is not there is waited for once. */
const wait = Number(process.env.CAIRN_NAMES_WAIT ?? 30_000);

/** The names that do not come to be seen in this part of the page. */
export async function missing(scope: Page | Locator, names: Names): Promise<string[]> {
  const found: string[] = [];
  for (const [role, name] of each(names))
    await find(scope, role, name)
      .first()
      .waitFor({ timeout: wait })
      .catch(() => found.push(`no ${role} "${name}"`));
  return found;
}

/** In this part of the page, each name is there and can be seen. */
export async function see(scope: Page | Locator, where: string, names: Names): Promise<void> {
  const line = callersLine();
  for (const one of await missing(scope, names)) lacking.push(`${line}: ${where}: ${one}`);
}

/** None of them is there. What stands beside them has to be awaited before. */
export async function seeNone(scope: Page | Locator, where: string, names: Names): Promise<void> {
  const line = callersLine();
  for (const [role, name] of each(names))
    if ((await find(scope, role, name).count()) > 0) lacking.push(`${line}: ${where}: a ${role} "${name}"`);
}

/** For what is no name: an attribute, an address, a text. */
export function expectIt(isTrue: boolean, what: string): void {
  if (!isTrue) lacking.push(`${callersLine()}: ${what}`);
}

function each(names: Names): [string, string][] {
  return Object.entries(names).flatMap(([role, wanted]) =>
    [wanted].flat().map((name) => [role, name] as [string, string]),
  );
}

function find(scope: Page | Locator, role: string, name: string): Locator {
  if (role === "label") return scope.getByLabel(name, { exact: true });
  if (role === "text") return scope.getByText(name, { exact: true });
  return scope.getByRole(role as Role, { name, exact: true });
}

/** Where this file was asked. */
function callersLine(): string {
  const places = [...(new Error().stack ?? "").matchAll(/file:\/\/([^():]+):(\d+):\d+/g)];
  const [, file = "", line] = places.find(([, file]) => file !== import.meta.filename) ?? [];
  return `${relative(process.cwd(), file)}:${line}`;
}

afterEach(() => {
  if (lacking.length > 0) throw new Error(`not as promised:\n${lacking.splice(0).join("\n")}`);
});
