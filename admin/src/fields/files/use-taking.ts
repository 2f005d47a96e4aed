// What every field that takes files shares: where files go, what is wrong with them before they are sent, how far they are.

import { useCallback, useMemo, useRef } from "react";
import type { FieldInputProps } from "#fields/field-kind.ts";
import type { Merge, Upload } from "#files/queue.ts";
import { checkCount, checkFile, rulesInWords, type Taking } from "#files/taking/file-rules.ts";
import type { UploadTarget } from "#files/upload-target.ts";
import { addUpload, interruptedUploads, useUploadsOf } from "#files/uploads.ts";
import { queryClient } from "#session/query-client.ts";
import { startQuery } from "#session/start.ts";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";

interface Options {
  takes: Taking["takes"];
  merge: Merge;
  /** Files that are there already, where a rule may limit their number. */
  count?: number;
  /** Of a depot. */
  folder?: string;
}

export interface FileTaking {
  /** Sends the files, or lets them wait for the Save that makes their place. */
  take: (sources: readonly (File | string)[], folder?: string) => void;
  /** Those of this field, the oldest first. */
  uploads: readonly Upload[];
  /** In words. */
  rules: string[];
  /** Files that were cut off by a reload: chosen again they go on. */
  interrupted: { name: string; share: number }[];
}

export function useTaking(
  { path, property, context }: Pick<FieldInputProps, "path" | "property" | "context">,
  { takes, merge, count = 0, folder }: Options,
): FileTaking {
  const words = useWords(fileWords);
  // Known since the start; without it the server decides alone.
  const maxSize = queryClient.getQueryData(startQuery.queryKey)?.site.maxUploadSize ?? Number.POSITIVE_INFINITY;
  const { collection, object, form, isStored } = context;
  const { label, settings } = property;
  const target: UploadTarget = useMemo(
    () => ({ collection, object, path, form, ...(folder !== undefined && { folder }) }),
    [collection, object, path, form, folder],
  );
  const taking: Taking = useMemo(() => ({ settings, takes, maxSize }), [settings, takes, maxSize]);
  const uploads = useUploadsOf(target);
  const latestCount = useRef(count);
  latestCount.current = count;
  const take: FileTaking["take"] = useCallback(
    (sources, into = target.folder) => {
      for (const source of sources)
        addUpload({
          source,
          target: into === undefined ? target : { ...target, folder: into },
          isWaiting: !isStored(path),
          label,
          check: (file) => checkCount(taking, latestCount.current + 1, words) ?? checkFile(file, taking, words),
          merge,
        });
    },
    [target, taking, words, isStored, path, label, merge],
  );
  return { take, uploads, rules: rulesInWords(taking, words), interrupted: interruptedUploads(target) };
}
