// Renders a text while it is written: some time after the last key, one request at a time. The last good result stays.

import type { JsonObject } from "@contract/json.ts";
import type { TemplateError, TemplatePreview } from "@contract/templates.ts";
import { useCallback, useEffect, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

/** What a template sees. */
export interface PreviewData {
  collection?: string;
  object?: string;
  data?: JsonObject;
}

export interface PreviewState {
  /** Of the last text without mistakes; undefined while there was none. */
  html: string | undefined;
  errors: readonly TemplateError[];
  /** The request itself failed. */
  failure: unknown;
  isRendering: boolean;
}

const delay = 350;
const nothing: PreviewState = { html: undefined, errors: [], failure: undefined, isRendering: true };

/** `data` undefined: they are not ready, and nothing is asked. `id`: of a stored template. `renderNow` does not wait. */
export function usePreview(
  template: string,
  data: PreviewData | undefined,
  id?: string,
): PreviewState & { renderNow: () => void } {
  const [state, setState] = useState(nothing);
  const [round, setRound] = useState(0);
  const body = data && JSON.stringify({ ...(id !== undefined && { id }), template, ...data });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round renders again
  useEffect(() => {
    if (body === undefined) return undefined;
    const abort = new AbortController();
    const render = async () => {
      setState((before) => ({ ...before, isRendering: true }));
      try {
        const found = await askData<TemplatePreview>(routes.templatePreview, {
          body: JSON.parse(body),
          signal: abort.signal,
        });
        if (abort.signal.aborted) return;
        if ("html" in found) setState({ html: found.html, errors: [], failure: undefined, isRendering: false });
        else setState((before) => ({ ...before, errors: found.errors, failure: undefined, isRendering: false }));
      } catch (failure) {
        if (!abort.signal.aborted) setState((before) => ({ ...before, failure, isRendering: false }));
      }
    };
    // The first is shown with the page.
    const timer = setTimeout(render, state === nothing ? 0 : delay);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [body, round]);
  return { ...state, renderNow: useCallback(() => setRound((before) => before + 1), []) };
}
