// A preview of the object while it is edited: unsaved values go to the server, the page that comes back goes into the frame.
// One round trip at a time; the last state wins. The first change after a pause is shown at once, those that follow when typing pauses.

import type { MadePreview } from "@contract/previews.ts";
import { type RefObject, useCallback, useEffect, useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { FormStore } from "#form/store.ts";

const pauseMs = 300;

interface Options {
  collection: string;
  id: string;
  store: FormStore;
  frame: RefObject<HTMLIFrameElement | null>;
  /** A place of the page was clicked that shows this property. */
  onEdit: (property: string) => void;
}

export interface LivePreview {
  /** Where the frame begins; undefined until there is a preview. */
  url: string | undefined;
  error: Error | undefined;
  isUpdating: boolean;
  retry: () => void;
}

export function useLivePreview({ collection, id, store, frame, onEdit }: Options): LivePreview {
  const [preview, setPreview] = useState<MadePreview>();
  const [error, setError] = useState<Error>();
  const [isUpdating, setIsUpdating] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => setAttempt((before) => before + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt makes a new preview
  useEffect(() => {
    let isOver = false;
    let made: MadePreview | undefined;
    setError(undefined);
    const end = () =>
      made &&
      void ask(routes.endPreview, { path: { id: made.id }, takes401: true, isLast: true }).catch(() => undefined);
    makePreview(collection, id, store).then(
      (preview) => {
        made = preview;
        if (isOver) end();
        else setPreview(preview);
      },
      (problem: Error) => isOver || setError(problem),
    );
    addEventListener("pagehide", end);
    return () => {
      isOver = true;
      removeEventListener("pagehide", end);
      end();
      setPreview(undefined);
    };
  }, [collection, id, store, attempt]);

  useEffect(() => {
    if (!preview) return undefined;
    const link = linkTo(preview, { store, frame });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let isBusy = false;
    let isStale = false;
    const update = async () => {
      if (isOver || isBusy) {
        isStale = true;
        return;
      }
      isBusy = true;
      isStale = false;
      setIsUpdating(true);
      await link.update().then(
        () => isOver || setError(undefined),
        (problem: Error) => isOver || setError(problem),
      );
      isBusy = false;
      if (isStale && !isOver) void update();
      else if (!isOver) setIsUpdating(false);
    };
    let changed = Number.NEGATIVE_INFINITY;
    let isFirst = false;
    const later = () => {
      const now = performance.now();
      const wasQuiet = now - changed > pauseMs;
      changed = now;
      // One change is heard of several times: the first update reads all of it.
      if (isFirst) return;
      isFirst = wasQuiet;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          isFirst = false;
          void update();
        },
        isFirst ? 0 : pauseMs,
      );
    };
    const stop = [store.subscribeValues(later), store.subscribeSummary(later)];
    return () => {
      isOver = true;
      clearTimeout(timer);
      for (const each of stop) each();
    };
  }, [preview, store, frame]);

  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || data?.type !== "cairn-edit") return;
      if (typeof data.property === "string") onEdit(data.property);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [frame, onEdit]);

  return { url: preview && pageOf(preview), error, isUpdating, retry };
}

/** With what is unsaved at this moment, so that the frame begins with it. */
async function makePreview(collection: string, id: string, store: FormStore): Promise<MadePreview> {
  const made = await askData<MadePreview>(routes.createPreview, { body: { collection, id } });
  if (store.summary().dirty.length > 0) await putValues(made, store);
  return made;
}

async function putValues({ id }: MadePreview, store: FormStore): Promise<void> {
  await ask(routes.previewValues, { path: { id }, body: { values: store.changes() } });
}

/** The page comes from the address that the admin was opened by: the public one may be another. */
function pageOf({ url }: MadePreview): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function linkTo(preview: MadePreview, { store, frame }: Pick<Options, "store" | "frame">) {
  return {
    async update() {
      await putValues(preview, store);
      const response = await fetch(pageOf(preview), { credentials: "omit", headers: { accept: "text/html" } });
      const html = await response.text();
      // The frame has no origin of its own that could be named.
      frame.current?.contentWindow?.postMessage({ type: "cairn-preview", html }, "*");
    },
  };
}
