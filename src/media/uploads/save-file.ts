// Saves a file that has passed inspection: the bytes first, then one change of the row that names them. The file that it
// replaces goes last. So at every moment the row describes a file that is there.

import { withObjectFilesLock } from "#content/locks.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { findFreeName } from "#files/free-name.ts";
import type { ImageFacts } from "#files/image-types.ts";
import type { StagedFile } from "#files/port.ts";
import {
  changeFiles,
  cleanUpAfterFailure,
  getDocument,
  keyOf,
  type OpenFiles,
  objectOf,
  wholeKey,
} from "#media/open-files.ts";
import { checkCount } from "#media/upload-rules.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { entriesAt, withEntries } from "#schemas/values/depot-tree.ts";
import {
  imageUrl,
  isFolder,
  listOf,
  type NewFile,
  newFile,
  newImage,
  storedName,
  valueAt,
} from "#schemas/values/file-values.ts";
import { isSingle } from "#schemas/values/resolve-file.ts";

/** A file that has passed inspection. */
export interface Accepted {
  staged: StagedFile;
  name: string;
  mime: string;
  image?: ImageFacts | undefined;
}

export interface Saved {
  answer: ObjectAnswer;
  /** Of the file below its object, as its address has it. */
  path: string[];
}

/**
 * One image or file takes the place of the one before; galleries and depots get one more. The bytes go to a name that is
 * free, so no file is overwritten (decision 024); a file that stands alone keeps the name it was sent with. The staged file
 * is gone afterwards.
 */
export async function saveFile(
  ctx: Context,
  files: OpenFiles,
  accepted: Accepted,
  { ifMatch }: Precondition = {},
): Promise<Saved> {
  try {
    return await withObjectFilesLock(ctx, objectOf(files), async () => {
      const folder = files.property.kind.type === "depot" ? files.rest : [];
      const names = namesIn(files, valueAt(await getDocument(ctx, files), files.path), folder);
      const free = await findFreeName(ctx, wholeKey(files, keyOf(files, folder)), accepted.name, names);
      const file = describeFile(ctx, files, accepted, free);
      const key = keyOf(files, [...folder, free]);
      try {
        await ctx.files.publish(accepted.staged, wholeKey(files, key));
        const answer = await changeFiles(ctx, files, { ifMatch, next: (value) => withFile(files, value, file) });
        return { answer, path: [...files.path, ...folder, file.name] };
      } catch (error) {
        await cleanUpAfterFailure(ctx, files, [key]);
        throw error;
      }
    });
  } finally {
    await ctx.staging.discard(accepted.staged);
  }
}

/** The names that are taken in the store by what the value names. */
function namesIn({ property }: OpenFiles, value: Json | undefined, folder: string[]): string[] {
  if (isSingle(property)) return isJsonObject(value) ? [storedName(value)] : [];
  const entries = property.kind.type === "gallery" ? listOf(value) : entriesAt(value, folder);
  return entries.filter(isJsonObject).map(({ name }) => String(name));
}

function describeFile({ clock }: Context, { property }: OpenFiles, accepted: Accepted, stored: string): NewFile {
  const { staged, name: sentName, mime, image } = accepted;
  const name = isSingle(property) ? sentName : stored;
  const storedAs = stored === name ? undefined : stored;
  const { size, digest } = staged;
  return { name, storedAs, sentName, size, digest, mime, image, uploadDate: clock.iso() };
}

function withFile(files: OpenFiles, value: Json | undefined, file: NewFile): Json {
  const { property, collection, id, rest } = files;
  const settings = fieldSettings(collection.settings, id, property);
  const isProtected = settings.protectedByCollection !== false;
  const before = isJsonObject(value) ? value : {};
  const urlOf = (item: ReturnType<typeof newImage>, type: "image" | "gallery") =>
    imageUrl(objectOf(files), keyOf(files, [file.name]), { item, type });
  switch (property.kind.type) {
    case "image": {
      const item = newImage(file, before);
      return { ...item, url: urlOf(item, "image") };
    }
    case "gallery": {
      const images = listOf(value);
      checkCount(settings, images.length + 1);
      const item = newImage(file);
      return [...images, { ...item, url: urlOf(item, "gallery") }];
    }
    case "depot": {
      const depot = { protected: isProtected, files: [], ...before };
      checkCount(settings, countFiles(depot.files) + 1);
      return withEntries(depot, rest, (entries) => [...entries, newFile(file, {}, isProtected)], { isMaking: true });
    }
    default:
      return newFile(file, before, isProtected);
  }
}

function countFiles(entries: Json): number {
  return listOf(entries).reduce<number>((sum, entry) => sum + (isFolder(entry) ? countFiles(entry.files ?? []) : 1), 0);
}
