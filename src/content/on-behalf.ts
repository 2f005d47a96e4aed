// The rights of deferred work. An author is stored with the work. When the work runs, this module turns the author into a
// context with the rights that the author has then, or reports that none are left. An id alone is not enough: a new user
// of the same id is a different one.

import { actorOf, findAccount, isUsable } from "#access/accounts.ts";
import { type Actor, type Author, anonymous, isAdminPersona, nameOf, system } from "#access/actor.ts";
import { findKeyActor } from "#access/api-keys.ts";
import { findHolder } from "#access/signed-in.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Scope } from "#contract/scopes.ts";
import { findGrant } from "#storage/tables/oauth-grants.ts";

export function authorOf({ actor, surface, author }: Pick<Context, "actor" | "surface" | "author">): Author {
  return author ?? { ...identityOf(actor), ...(surface && { surface }) };
}

function identityOf(actor: Actor): Author {
  switch (actor.kind) {
    case "user":
      // Without a row number the user cannot be found again.
      return { kind: "user", id: actor.id, rid: actor.rid ?? -1 };
    case "token": {
      const { id, clientId, grantId, scopes } = actor;
      return { kind: "token", id, clientId, grantId, scopes: [...scopes] };
    }
    case "key":
    case "form":
    case "extension":
      return { kind: actor.kind, id: actor.id };
    default:
      return { kind: actor.kind };
  }
}

/** For errors: `user:ada`. */
export function nameOfAuthor(author: Author): string {
  return author.kind === "token" ? `token:${author.id}:${author.clientId}` : nameOf(author as unknown as Actor);
}

/** With the author's present rights; undefined: none are left. */
export async function findOnBehalf(app: App, author: Author): Promise<Context | undefined> {
  await app.storage.catchUp();
  const actor = await findActor(app, author);
  return actor && { ...contextFor(app, actor), surface: author.surface };
}

async function findActor(app: App, author: Author): Promise<Actor | undefined> {
  switch (author.kind) {
    case "system":
      return system;
    case "anonymous":
      return anonymous;
    case "key":
      return findKeyActor(app, author.id, author.surface);
    case "form":
      return { kind: "form", id: author.id };
    case "extension":
      return app.extensions.findActor(author.id);
    case "user": {
      const account = await findAccount(app, author.id);
      const isSame = account?.rid === author.rid && isUsable(account, app.clock.iso());
      return isSame ? actorOf(app, account) : undefined;
    }
    case "token":
      return findTokenActor(app, author);
  }
}

/** The scopes of the token that the grant still has. */
async function findTokenActor(app: App, author: Author & { kind: "token" }): Promise<Actor | undefined> {
  const grant = await findGrant(app.storage, author.grantId);
  const account = grant && (await findHolder(app, grant));
  if (!account || account.id !== author.id || grant.expires <= app.clock.iso()) return undefined;
  const granted = JSON.parse(grant.scopes) as Scope[];
  const scopes = new Set(author.scopes.filter((scope) => granted.includes(scope)));
  // Deferred work reads objects.
  if (!scopes.has("cms:read")) return undefined;
  const { isAdmin, permissions } = await actorOf(app, account);
  const { id, clientId, grantId } = author;
  return { kind: "token", id, rid: account.rid, clientId, grantId, scopes, isAdmin, permissions };
}

/** Whether the author is still an administrator. */
export function isAdministrators(ctx: Context | undefined): ctx is Context {
  return ctx !== undefined && isAdminPersona(ctx.actor);
}
