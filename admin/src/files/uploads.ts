// The upload queue of this tab, tied to the server, the session and the window. Fields call `addUpload` and follow `useUploads`;
// forms release what waits for their Save and hear of stored files through upload-hub.ts.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { useRef, useSyncExternalStore } from "react";
import { type AskUpload, ask, askUpload } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { queryClient } from "#session/query-client.ts";
import { startQuery } from "#session/start.ts";
import { newId } from "#ui/newId.ts";
import { createUploadQueue, isActive, type Piece, type StoredUpload, type Upload } from "./queue.ts";
import { findRecent } from "./recent-file.ts";
import { uploadQueue } from "./upload-hub.ts";
import { isSameTarget, type UploadTarget } from "./upload-target.ts";

const queue = createUploadQueue({
  send: sendPiece,
  find: findStored,
  sleep,
  isOnline: () => navigator.onLine,
  now: () => performance.timeOrigin + performance.now(),
  newId,
  storage: storageOf(),
  user: () => queryClient.getQueryData(startQuery.queryKey)?.user.id ?? "",
});

export const {
  add: addUpload,
  pause: pauseUpload,
  retry: retryUpload,
  cancel: cancelUpload,
  clear: clearUploads,
  interrupted: interruptedUploads,
} = queue;

uploadQueue.set(queue);
addEventListener("online", () => queue.resume());
addEventListener("beforeunload", (event) => {
  if (queue.all().some(isActive)) event.preventDefault();
});
queue.onStored(({ target }) => {
  void queryClient.invalidateQueries({ queryKey: ["objects", target.collection] });
  void queryClient.invalidateQueries({ queryKey: ["recent"] });
});

/** Every upload of this tab, in the order in which they were added. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(queue.subscribe, queue.all);
}

/** Those of one property; the same list until one of them changes. */
export function useUploadsOf(target: UploadTarget): readonly Upload[] {
  const known = useRef<readonly Upload[]>([]);
  return useSyncExternalStore(queue.subscribe, () => {
    const found = queue.all().filter(({ request }) => isSameTarget(request.target, target));
    const isKnown = found.length === known.current.length && found.every((upload, at) => upload === known.current[at]);
    if (!isKnown) known.current = found;
    return known.current;
  });
}

async function sendPiece(
  { target, name, source, chunk }: Piece,
  { onProgress, signal }: { onProgress: (sent: number) => void; signal: AbortSignal },
): Promise<StoredUpload> {
  const { route, field, ...address } = addressOf(target);
  if (typeof source === "string") {
    const { data, etag } = await ask<JsonObject>(route, { ...address, body: { [field]: source }, signal });
    return { data, etag };
  }
  const form = new FormData();
  if (chunk) {
    // Before the file, so that the server streams it as a chunk.
    form.set("dzuuid", chunk.upload);
    form.set("dzchunkindex", String(chunk.index));
    form.set("dztotalchunkcount", String(chunk.total));
    form.set("dztotalfilesize", String(chunk.size));
  }
  form.set(field, source, name);
  const options: AskUpload = { ...address, form, signal, onProgress };
  const { data, etag } = await askUpload<JsonObject>(route, options);
  return { data, etag };
}

function addressOf({ collection, object, path, folder, isForEditor }: Piece["target"]) {
  const [property = "", ...below] = path.split(".");
  const [whole, part] = isForEditor
    ? [routes.uploadEditorFile, routes.uploadEditorFileBelow]
    : [routes.uploadFile, routes.uploadFileBelow];
  return {
    route: below.length > 0 ? part : whole,
    path: { collection, id: object, property, ...(below.length > 0 && { path: below }) },
    query: folder ? { path: folder } : {},
    field: isForEditor ? "file" : (below.at(-1) ?? property),
  };
}

async function findStored({ target, name }: Piece, ms: number): Promise<StoredUpload | undefined> {
  if (target.isForEditor) return undefined;
  const { collection, object: id } = target;
  const { data, etag, headers } = await ask<JsonObject>(routes.object, { path: { collection, id } });
  let value: Json | undefined = data;
  for (const part of target.path.split("."))
    value = Array.isArray(value)
      ? value.find((item) => isJsonObject(item) && item.id === part)
      : isJsonObject(value)
        ? value[part]
        : undefined;
  const since = Date.parse(headers.get("date") ?? "") - ms;
  return findRecent(value, name, since) ? { data, etag } : undefined;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** A browser may forbid it. */
function storageOf(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** A file that is dropped beside a field would replace the page. */
for (const type of ["dragover", "drop"] as const)
  addEventListener(type, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
