// Looks for what the accessibility tree must have, by role and exact name. All that a test lacks is reported together, after it.

import { afterEach } from "node:test";
import type { Locator, Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];
/** Names by role; `label` finds a control by its label alone, `text` any text. */
export type Names = Partial<Record<Role | "label" | "text", string | string[]>>;

const lacking: string[] = [];
/** For what is there, a busy machine may take long; what is not there is waited for once. */
const wait = Number(process.env.CAIRN_NAMES_WAIT ?? 30_000);

/** In this part of the page, each name is there and can be seen. */
export async function see(scope: Page | Locator, where: string, names: Names): Promise<void> {
  for (const [role, wanted] of Object.entries(names))
    for (const name of [wanted].flat()) {
      const found = find(scope, role, name).first();
      await found.waitFor({ timeout: wait }).catch(() => lacking.push(`${where}: no ${role} "${name}"`));
    }
}

/** None of them is there. What stands beside them has to be awaited before. */
export async function seeNone(scope: Page | Locator, where: string, names: Names): Promise<void> {
  for (const [role, wanted] of Object.entries(names))
    for (const name of [wanted].flat())
      if ((await find(scope, role, name).count()) > 0) lacking.push(`${where}: a ${role} "${name}"`);
}

/** For what is no name: an attribute, an address, a text. */
export function expectIt(isTrue: boolean, what: string): void {
  if (!isTrue) lacking.push(what);
}

function find(scope: Page | Locator, role: string, name: string): Locator {
  if (role === "label") return scope.getByLabel(name, { exact: true });
  if (role === "text") return scope.getByText(name, { exact: true });
  return scope.getByRole(role as Role, { name, exact: true });
}

afterEach(() => {
  if (lacking.length > 0) throw new Error(`not as promised:\n${lacking.splice(0).join("\n")}`);
});
