// Sandboxed extensions that arrive as a zip, and the removal of extensions. Code that runs with the rights of the server
// never arrives here: the operator puts it on the disk.

import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { syncFolder } from "#base/files.ts";
import { withSchemasLock } from "#content/locks.ts";
import type { Context } from "#context.ts";
import type { ExtensionRecord } from "#contract/extensions.ts";
import { deleteLogLines } from "#storage/tables/extensions/extension-log.ts";
import { deleteAllStored } from "#storage/tables/extensions/extension-store.ts";
import { deleteExtension, lockExtension, putExtension } from "#storage/tables/extensions/extensions.ts";
import { type ArchiveReader, openArchive } from "#sync/backups/archive.ts";
import { type FoundExtension, maxFileSize, maxFiles, readPlace } from "./discover.ts";
import { dataFolderOf } from "./host/data-folder.ts";
import { bringsSchemas, schemasAfter } from "./kept/kept-schemas.ts";
import { type Extension, forgetExtensions, loadExtensions } from "./load-extensions.ts";
import { present, requireReviewer } from "./manage.ts";
import { blankRow } from "./rows.ts";
import { runtimeOf } from "./runtime.ts";

/** Of all files, unpacked. */
const maxBytes = 50_000_000;
export const maxZipBytes = 20_000_000;

const placesOf = ({ settings }: Pick<Context, "settings">) => join(settings.dataDir, "extensions");

/** `zip`: the bytes. It is there whole, or nothing has changed. */
export async function installExtension(ctx: Context, zip: AsyncIterable<Uint8Array>): Promise<ExtensionRecord> {
  allow(ctx, "create", { kind: "extensions" });
  await requireReviewer(ctx);
  const { path } = await ctx.staging.receive(zip, maxZipBytes);
  // Names with a dot at the start are not looked at.
  const folder = join(placesOf(ctx), `.new-${randomBytes(8).toString("hex")}`);
  try {
    await unpackFile(path, folder);
    const found = await readPlace({ source: "data", folder });
    await refuseUnfit(ctx, found);
    await replaceFolder(placesOf(ctx), folder, found.id);
    return await announce(ctx, found.id);
  } finally {
    await rm(path, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpackFile(path: string, folder: string): Promise<void> {
  const archive = await openArchive(path);
  try {
    await unpack(archive, folder);
  } finally {
    archive.close();
  }
}

async function unpack(archive: ArchiveReader, folder: string): Promise<void> {
  const files = archive.names().filter((name) => !name.endsWith("/"));
  const refuse = (name: string, why: string) => fail("invalid", "The archive is refused.", { [name]: [why] });
  if (files.length > maxFiles) fail("invalid", `The archive has more than ${maxFiles} files.`);
  let bytes = 0;
  for (const name of files) {
    if (!isPlainPath(name)) refuse(name.slice(0, 200), "is not a path below the folder of the extension");
    const { size = 0, isLink = false } = archive.about(name) ?? {};
    if (isLink) refuse(name, "is a link");
    if (size > maxFileSize) refuse(name, `is larger than ${maxFileSize} bytes`);
    bytes += size;
    if (bytes > maxBytes) fail("invalid", `The files of the archive are larger than ${maxBytes} bytes together.`);
  }
  for (const name of files) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    const handle = await open(file, "wx", 0o644);
    try {
      // What is unpacked counts, not what the archive says.
      let length = 0;
      for await (const chunk of archive.read(name)) {
        length += chunk.length;
        if (length > maxFileSize) refuse(name, `is larger than ${maxFileSize} bytes`);
        await handle.write(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

function isPlainPath(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  if (name.length > 300 || /[\\\u0000-\u001f\u007f:]/.test(name)) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && part !== "node_modules");
}

async function refuseUnfit(ctx: Context, { id, manifest, problems }: FoundExtension): Promise<void> {
  const details: ErrorDetails = { "extension.json": problems };
  if (!manifest) return fail("invalid", "The archive is not an extension: extension.json must be right.", details);
  if (manifest.runtime !== "sandbox")
    fail("invalid", "Only extensions that run in the sandbox can be installed here.", {
      runtime: ['must be "sandbox": put other extensions into the folder extensions/ of the project'],
    });
  forgetExtensions(ctx);
  const known = (await loadExtensions(ctx)).all.get(id);
  if (known === undefined || known.folder === "") return;
  if (known.source !== "data" || known.manifest?.runtime === "node")
    fail("conflict", `The extension ${id} is there already: ${known.folder}. Remove it there first.`);
}

/** One of that id is replaced. */
async function replaceFolder(root: string, folder: string, id: string): Promise<void> {
  const final = join(root, id);
  const old = join(root, `.old-${randomBytes(8).toString("hex")}`);
  await mkdir(dirname(final), { recursive: true });
  const isReplaced = await rename(final, old).then(
    () => true,
    () => false,
  );
  try {
    await rename(folder, final);
  } catch (error) {
    if (isReplaced) await rename(old, final);
    throw error;
  }
  await syncFolder(dirname(final));
  await rm(old, { recursive: true, force: true });
}

/** Other processes look at the disk again as well. */
async function announce(ctx: Context, id: string): Promise<ExtensionRecord> {
  await ctx.storage.write(async (tx) => {
    const row = (await lockExtension(tx, id)) ?? blankRow(id);
    await putExtension(tx, { ...row, error: null, updated: ctx.clock.iso() });
  });
  forgetExtensions(ctx);
  audit(ctx, { type: "extension.changed", details: { extension: id, what: "installed" } });
  await runtimeOf(ctx.storage).host.restart();
  return present(ctx, (await loadExtensions(ctx)).all.get(id) as Extension);
}

const advice = {
  project: "It belongs to the project: remove the folder",
  package: "It is a package: take it out of the setting extensions.packages, and remove",
  bundled: "It is part of Cairn, and can be disabled. Its folder is",
};

/** Its store, settings and files wait for it to come back, unless they are deleted too. */
export async function removeExtension(ctx: Context, id: string, { purge }: { purge: boolean }): Promise<void> {
  allow(ctx, "delete", { kind: "extensions" });
  await requireReviewer(ctx);
  forgetExtensions(ctx);
  const { all, live } = await loadExtensions(ctx);
  const extension = all.get(id) ?? fail("not-found", `There is no extension "${id}".`);
  const { source, folder } = extension;
  if (folder !== "" && source !== "data") fail("conflict", `${advice[source]} ${folder}.`);
  const needing = live.filter((one) => Object.hasOwn(one.manifest.requires.extensions, id)).map((one) => one.id);
  if (needing.length > 0) fail("in-use", `Others need it: ${needing.join(", ")}. Disable them first.`);
  const old = join(placesOf(ctx), `.old-${randomBytes(8).toString("hex")}`);
  if (folder !== "") await rename(folder, old);
  const remove = (schemas: string) =>
    ctx.storage.write(async (tx) => {
      const row = (await lockExtension(tx, id)) ?? blankRow(id);
      // Field kinds and schemas that are in use go on by what is known of them.
      if (purge && row.kinds === "{}" && schemas === "{}") await deleteExtension(tx, id);
      else
        await putExtension(tx, {
          ...row,
          ...{ enabled: 0, approved: null, error: null, quarantined: 0, updated: ctx.clock.iso() },
          ...(purge && { settings: "{}", switchedOff: "[]" }),
          schemas,
        });
      if (!purge) return;
      await deleteAllStored(tx, id);
      await deleteLogLines(tx, id);
    });
  const off = blankRow(id, { enabled: 0 });
  if (!bringsSchemas(extension)) await remove("{}");
  else await withSchemasLock(ctx, async () => remove(await schemasAfter(ctx, extension, off)));
  forgetExtensions(ctx);
  audit(ctx, { type: "extension.changed", details: { extension: id, what: purge ? "purged" : "removed" } });
  await runtimeOf(ctx.storage).host.restart();
  await rm(old, { recursive: true, force: true });
  if (purge) await rm(dataFolderOf(ctx, id), { recursive: true, force: true });
}
