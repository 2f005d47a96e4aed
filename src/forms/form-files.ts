// Files that come with a form. They are judged by their bytes before the object is made, and saved into it afterwards, as any
// upload is. Until then they are in the staging area, where nobody can read them.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { App, Context } from "#context.ts";
import type { FormFileRules } from "#contract/forms.ts";
import type { StagedFile } from "#files/port.ts";
import { openFiles } from "#media/open-files.ts";
import { inspectUpload } from "#media/uploads/inspect-upload.ts";
import { type Accepted, saveFile } from "#media/uploads/save-file.ts";
import { fieldSettings } from "#schemas/field-settings.ts";

export interface SentFile {
  field: string;
  name: string;
  staged: StagedFile;
}

export interface AcceptedFile {
  field: string;
  file: SentFile;
  accepted: Accepted;
}

interface Taking {
  collection: Collection;
  rules: Readonly<Record<string, FormFileRules>>;
}

/** Fails for the first that the form or the property does not take. */
export async function takeFiles(
  ctx: Context,
  { collection, rules }: Taking,
  files: readonly SentFile[],
): Promise<AcceptedFile[]> {
  const taken: AcceptedFile[] = [];
  try {
    for (const file of files) {
      const { field, staged, name } = file;
      const refuse = (problem: string): never => fail("validation-failed", undefined, { [field]: [problem] });
      const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
      const property = collection.schema.properties.get(field);
      if (!rule || !property) return refuse("is not part of this form");
      const settings = fieldSettings(collection.settings, "", property);
      if (settings.protectedByCollection === false) refuse("takes no files, because they would be public");
      if (taken.filter((one) => one.field === field).length >= rule.max) refuse(`takes at most ${rule.max} files`);
      if (rule.maxBytes !== undefined && staged.size > rule.maxBytes)
        refuse(`must not be larger than ${rule.maxBytes} bytes`);
      const isPicture = property.kind.type === "image" || property.kind.type === "gallery";
      const accepted = await inspectUpload(
        ctx,
        { staged, name },
        { takes: isPicture ? "pictures" : "files", settings },
      ).catch((error) => {
        if ((error as { status?: number }).status !== 400) throw error;
        return refuse((error as Error).message);
      });
      taken.push({ field, accepted, file: { ...file, staged: accepted.staged } });
      if (rule.types.length > 0 && !rule.types.some((type) => isOfType(accepted.mime, type)))
        refuse(`must be of the type ${rule.types.join(", ")}`);
    }
    return taken;
  } catch (error) {
    for (const { accepted } of taken) await ctx.staging.discard(accepted.staged);
    throw error;
  }
}

function isOfType(mime: string, type: string): boolean {
  return type.endsWith("/*") ? mime.startsWith(type.slice(0, -1)) : mime === type;
}

export async function saveFiles(
  ctx: Context,
  { collection, id }: { collection: string; id: string },
  files: readonly AcceptedFile[],
): Promise<void> {
  for (const { field, accepted } of files) {
    await saveFile(ctx, await openFiles(ctx, { collection, id, path: [field] }), accepted);
  }
}

export async function discardFiles({ staging }: Pick<App, "staging">, files: readonly SentFile[]): Promise<void> {
  for (const { staged } of files) await staging.discard(staged);
}
