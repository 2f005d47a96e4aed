// The data of a preview, as the address names them: an object, or JSON. Long JSON stays in this page alone.

import { isJsonObject } from "@contract/json.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { CodeProblem } from "#editor/code/code-props.ts";
import { readJson } from "#fields/code/read-json.ts";
import type { Search } from "#shell/paths.ts";
import type { PreviewData } from "./use-preview.ts";

export type DataFrom = "none" | "object" | "json";

/** More would make an address that no program takes. */
const longest = 1_500;

interface JsonData {
  text: string;
  setText: (text: string) => void;
  problems: CodeProblem[];
}

export interface PreviewChoice {
  from: DataFrom;
  collection: string;
  object: string;
  json: JsonData;
  choose: (change: Partial<Record<"from" | "collection" | "object", string>>) => void;
  /** undefined: what was chosen is not whole yet. */
  data: PreviewData | undefined;
}

export function usePreviewData(noJson: string): PreviewChoice {
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const { collection = "", object = "" } = search;
  const from: DataFrom = search.from === "object" || search.from === "json" ? search.from : "none";
  const [text, setText] = useState(search.data ?? "{\n  \n}");
  const change = (next: Search) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, ...next }),
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    } as never);
  const read = useMemo(() => readJson(text), [text]);
  const data = useMemo((): PreviewData | undefined => {
    if (from === "object") return collection !== "" && object !== "" ? { collection, object } : {};
    if (from === "none") return {};
    return "value" in read && isJsonObject(read.value) ? { data: read.value } : undefined;
  }, [from, collection, object, read]);
  const problems = useMemo(() => {
    if (from !== "json" || data) return [];
    return [{ ...("value" in read ? { line: 1, column: 1 } : read), message: noJson }];
  }, [from, data, read, noJson]);
  return {
    ...{ from, collection, object, data },
    json: {
      text,
      problems,
      setText: (next) => {
        setText(next);
        const { value } = { value: undefined, ...readJson(next) };
        if (isJsonObject(value)) change({ data: next.length > longest ? undefined : JSON.stringify(value) });
      },
    },
    choose: (next) =>
      change({
        ...(next.from !== undefined && { from: next.from === "none" ? undefined : next.from }),
        ...(next.collection !== undefined && { collection: next.collection || undefined, object: undefined }),
        ...(next.object !== undefined && { object: next.object || undefined }),
      }),
  };
}
