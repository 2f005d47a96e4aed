// Pages for some groups alone: visitors without a session are sent to the login, others need one of the groups.

import { adminPrefix } from "#content/site-address.ts";
import { adminGroup, defaultGroup } from "#contract/access-groups.ts";
import type { PageAnswer, PageRequest } from "./page-request.ts";
import { redirectTo } from "./redirect-answer.ts";
import type { Look } from "./shown-objects.ts";
import { answerStatus } from "./status-pages.ts";

/** Undefined: the visitor may see the page. */
export async function refuseVisitor(
  look: Look,
  request: PageRequest,
  groups: readonly string[],
): Promise<PageAnswer | undefined> {
  look.recorder.visitor();
  const visitor = await request.visitor();
  if (!visitor) {
    if (request.wantsJson) return answerStatus(look, request, 401, { isPrivate: true });
    const here = request.path + (request.search === "" ? "" : `?${request.search}`);
    const target = `${adminPrefix(look.ctx)}/login?redirect=${encodeURIComponent(here)}`;
    return redirectTo(look.ctx, request, { target, status: 302 }, { isPrivate: true });
  }
  const own = visitor.groups.length === 0 ? [defaultGroup] : visitor.groups;
  const isIn = own.includes(adminGroup) || groups.some((group) => own.includes(group));
  return isIn ? undefined : answerStatus(look, request, 403, { isPrivate: true });
}
