// file:password.

import type { Call } from "#cli/call.ts";
import { readAll } from "#cli/prompts.ts";
import { UsageError } from "#cli/usage.ts";
import { makeFileLink } from "#media/serving/file-links.ts";

interface Options {
  password?: string;
  expires?: string;
}

export async function makeLink(
  call: Call,
  { password: option, expires }: Options,
  ...[collection, id, property, name]: [string, string, string, string?]
): Promise<void> {
  if (!option) throw new UsageError("The file's password is missing: --password, or --password - to read it.");
  const password = option === "-" ? (await readAll(call.host.stdin)).toString("utf8").replace(/\r?\n$/, "") : option;
  const path = [...property.split("/"), ...(name === undefined ? [] : name.split("/"))];
  const link = await call.work((ctx) => makeFileLink(ctx, { collection, id, path }, { password, expires }));
  const { pwd, isRight } = link;
  const base = call.settings.get("url").replace(/\/+$/, "");
  const [download, stream] = [base + link.download, base + link.stream];
  if (!isRight) call.remark("This is not the file's password: the link works only if the file gets this password.");
  if (call.isJson) return call.out.json({ pwd, download, stream });
  await call.out.line(download);
  await call.out.line(stream);
}
