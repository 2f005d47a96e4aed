// The page at `/` where no website and no file of the project answers: what this is, and where to go.

import { escapeHtml } from "#base/text.ts";
import type { Page } from "./pages.ts";

export interface StartLinks {
  name: string;
  /** There is no user yet. */
  needsSetup: boolean;
  /** Comes before the paths of the admin. */
  admin: string;
}

const styles = `
  main ul { margin: var(--space-5) 0 0; padding: 0; list-style: none; }
  main li { padding: var(--space-3) 0; border-block-start: 1px solid var(--line); }
  main li p { margin: 0; color: var(--ink-2); }
`;

export function startPage({ name, needsSetup, admin }: StartLinks): Page {
  const links = [
    ...(needsSetup ? [] : [[`${admin}/login`, "Sign in", "for users of this site"]]),
    [`${admin}/admin`, "Admin", "content, schemas, users and settings"],
    ["/api/docs", "API reference", "every route, to try out from the page"],
    ["/api/openapi.json", "OpenAPI document", "the same for programs"],
  ];
  const setup = needsSetup
    ? "<p>There is no administrator yet. Open the link to <code>/setup</code> that the server printed when it started, or run " +
      "<code>cairn user:create --groups admin</code>.</p>"
    : "";
  const entries = links.map(
    ([href, label, about]) => `<li><a href="${escapeHtml(href ?? "")}">${label}</a><p>${about}</p></li>`,
  );
  const body =
    `<main><h1>${escapeHtml(name)}</h1><p>This is a content service. It has no website at this address.</p>` +
    `${setup}<ul>${entries.join("")}</ul></main>`;
  return { title: name, body, styles };
}
