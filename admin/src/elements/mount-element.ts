// The element of an extension in the page itself, with the session of the person who looks at it.

import { loadElement } from "./load-element.ts";
import { elementEvents, type Mounted, type Mounting } from "./mounting.ts";

export async function mountElement({ part, container, api, properties, hear, fail }: Mounting): Promise<Mounted> {
  const tag = await loadElement(part);
  const watch = watchErrors(part.assets, fail);
  try {
    const element = document.createElement(tag);
    Object.assign(element, { cairn: api }, properties());
    for (const name of elementEvents)
      element.addEventListener(name, (event) => {
        event.stopPropagation();
        hear({ name, detail: (event as CustomEvent<Record<string, unknown> | undefined>).detail });
      });
    container.replaceChildren(element);
    return {
      set: (next) => {
        try {
          Object.assign(element, next);
        } catch (error) {
          fail(error);
        }
      },
      remove: () => {
        watch.end();
        element.remove();
      },
    };
  } catch (error) {
    watch.end();
    throw error;
  }
}

/** What browsers report of a custom element instead of throwing it: errors whose place is a file of the extension. */
function watchErrors(assets: string, fail: (error: unknown) => void): { end: () => void } {
  const base = new URL(assets, location.origin).href;
  const isOwn = (error: unknown, file = "") =>
    file.startsWith(base) || (error instanceof Error && (error.stack ?? "").includes(base));
  const onError = ({ error, filename }: ErrorEvent) => {
    if (isOwn(error, filename)) fail(error);
  };
  const onRejection = ({ reason }: PromiseRejectionEvent) => {
    if (isOwn(reason)) fail(reason);
  };
  addEventListener("error", onError);
  addEventListener("unhandledrejection", onRejection);
  return {
    end() {
      removeEventListener("error", onError);
      removeEventListener("unhandledrejection", onRejection);
    },
  };
}
