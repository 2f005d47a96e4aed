// user:create.

import * as users from "#content/users.ts";
import type { Call } from "./call.ts";
import { parseList } from "./input.ts";
import { JsonText } from "./output.ts";
import { askHidden, canAsk, readAll } from "./prompts.ts";
import { UsageError } from "./usage.ts";

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
