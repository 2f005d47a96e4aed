// What every page knows of uploads before there is one. The queue itself (uploads.ts) comes with the first field that takes files.

import { useEffect, useRef } from "react";
import { sharedValue } from "#session/shared-value.ts";
import type { StoredEvent, UploadQueue } from "./queue.ts";

/** Undefined until a field that takes files was shown. */
export const uploadQueue = sharedValue<UploadQueue | undefined>(undefined);

/** The object of the form is stored: what waited for it is sent. `isStored` answers for the places of deck items. */
export function releaseUploads(form: string, object: string, isStored: (path: string) => boolean): void {
  uploadQueue.get()?.release(form, object, isStored);
}

/** The form is left: files that waited for its Save are dropped. */
export function dropUploads(form: string): void {
  uploadQueue.get()?.drop(form);
}

/** Files of the form that wait for its Save. */
export function countWaiting(form: string): number {
  const all = uploadQueue.get()?.all() ?? [];
  return all.filter(({ state, request }) => state === "waiting" && request.target.form === form).length;
}

/** Calls back for every file that the server has stored in the object, whatever page it was chosen on. */
export function useStoredUploads(
  collection: string,
  object: string | undefined,
  take: (event: StoredEvent) => void,
): void {
  const queue = uploadQueue.use();
  const latest = useRef(take);
  latest.current = take;
  useEffect(
    () =>
      queue?.onStored((event) => {
        const { target } = event;
        if (target.collection === collection && target.object === object && !target.isForEditor) latest.current(event);
      }),
    [queue, collection, object],
  );
}
