// user:create, user:list, user:update, user:password, user:delete, user:sessions.

import { endUserSession, endUserSessions, listUserSessions } from "#access/user-sessions.ts";
import * as users from "#accounts/users.ts";
import type { Call } from "#cli/call.ts";
import { parseList } from "#cli/input.ts";
import { JsonText } from "#cli/output.ts";
import { askHidden, canAsk, readAll, requireConsent } from "#cli/prompts.ts";
import { UsageError } from "#cli/usage.ts";
import type { JsonObject } from "#contract/json.ts";

interface CreateOptions {
  id?: string;
  email?: string;
  password?: string;
  groups: string;
  name?: string;
}

export async function createUser(call: Call, options: CreateOptions): Promise<void> {
  if (!options.email) throw new UsageError("A user needs an e-mail address: --email.");
  const password = await passwordOf(call, options.password);
  if (password === "") throw new UsageError("A user needs a password.");
  const user = await call.work((ctx) =>
    users.createUser(ctx, {
      ...(options.id !== undefined && { id: options.id }),
      ...(options.name !== undefined && { name: options.name }),
      email: options.email as string,
      password,
      groups: parseList(options.groups),
    }),
  );
  if (call.isJson) await call.out.json(new JsonText(user.text));
  else await call.out.line(`User ${user.id} is created.`);
}

export async function listUsers(call: Call): Promise<void> {
  const all = await call.work((ctx) => Array.fromAsync(users.listUsers(ctx)));
  if (call.isJson) return call.out.json(all);
  const text = (user: JsonObject, name: string) => (user[name] === undefined ? "" : String(user[name]));
  await call.out.table(
    ["ID", "NAME", "EMAIL", "GROUPS", "ACTIVE", "EXPIRATION", "LOGINS", "LAST LOGIN"],
    all.map((user) => [
      text(user, "id"),
      text(user, "name"),
      text(user, "email"),
      text(user, "groups"),
      user.active === true ? "yes" : "no",
      text(user, "expiration"),
      text(user, "loginCount"),
      text(user, "lastlogin") || "never",
    ]),
  );
}

interface UpdateOptions {
  email?: string;
  name?: string;
  groups?: string;
  active?: string;
  expiration?: string;
}

export async function updateUser(call: Call, options: UpdateOptions, id: string): Promise<void> {
  const body = changesOf(options);
  if (Object.keys(body).length === 0)
    throw new UsageError("Nothing to change: give an option such as --email or --groups.");
  await patchUser(call, id, body);
}

function changesOf({ email, name, groups, active, expiration }: UpdateOptions): JsonObject {
  if (active !== undefined && active !== "true" && active !== "false") {
    throw new UsageError("--active must be true or false.");
  }
  return {
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(groups !== undefined && { groups: parseList(groups) }),
    ...(active !== undefined && { active: active === "true" }),
    ...(expiration !== undefined && { expiration: expiration === "" ? null : expiration }),
  };
}

export async function setPassword(call: Call, options: { password?: string }, id: string): Promise<void> {
  const password = await passwordOf(call, options.password);
  if (password === "") throw new UsageError("A user needs a password.");
  await patchUser(call, id, { password });
}

async function patchUser(call: Call, id: string, body: JsonObject): Promise<void> {
  const user = await call.work((ctx) => users.patchUser(ctx, id, body));
  if (call.isJson) await call.out.json(new JsonText(user.text));
  else await call.out.line(`User ${user.id} is changed.`);
}

export async function deleteUser(call: Call, options: { force?: boolean }, id: string): Promise<number> {
  if (!(await requireConsent(call.host, options.force === true, `Delete the user ${id}?`))) {
    call.remark("Nothing is deleted.");
    return 1;
  }
  await call.work((ctx) => users.deleteUser(ctx, id));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`User ${id} is deleted.`);
  return 0;
}

export async function showSessions(call: Call, { end }: { end?: string }, id: string): Promise<void> {
  if (end !== undefined) return endSessions(call, id, end);
  const sessions = await call.work((ctx) => listUserSessions(ctx, id));
  if (call.isJson) return call.out.json(sessions.map(({ isCurrent: _, ...session }) => session));
  return call.out.table(
    ["SESSION", "SINCE", "LAST SEEN", "ADDRESS", "BROWSER"],
    sessions.map(({ id: session, created, lastSeen, address, agent }) => [session, created, lastSeen, address, agent]),
  );
}

async function endSessions(call: Call, id: string, which: string): Promise<void> {
  const ended = await call.work(async (ctx) => {
    if (which === "all") return endUserSessions(ctx, id);
    await endUserSession(ctx, id, which);
    return 1;
  });
  if (call.isJson) await call.out.json({ ended });
  else await call.out.line(`Sessions of ${id} that have ended: ${ended}.`);
}

async function passwordOf(call: Call, option: string | undefined): Promise<string> {
  const { host } = call;
  if (option === "-") return (await readAll(host.stdin)).toString("utf8").replace(/\r?\n$/, "");
  if (option !== undefined) return option;
  if (!canAsk(host)) throw new UsageError("A user needs a password: --password, or --password - to read it.");
  const first = await askHidden(host, "Password: ");
  const second = await askHidden(host, "Password again: ");
  if (first !== second) throw new UsageError("The two passwords differ.");
  return first;
}
