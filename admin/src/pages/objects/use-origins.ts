// Who last changed each property of an object, for the labels of its form. Asked for after the form is there.

import type { PropertyOrigin } from "@contract/history.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Origins } from "#form/form-context.ts";
import { authorText } from "#session/author.ts";
import { authorWords } from "#words/authors.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";

/** undefined: nothing is kept, or it is not for the caller. A refusal is no reason to disturb the form. */
export function useOrigins(collection: string, id: string | undefined, isKept: boolean): Origins | undefined {
  const words = useWords(authorWords);
  const { data } = useQuery({
    queryKey: ["objects", collection, "origins", id],
    enabled: isKept && id !== undefined,
    retry: false,
    queryFn: ({ signal }) =>
      askData<Record<string, PropertyOrigin>>(routes.origins, { path: { collection, id: id ?? "" }, signal }),
  });
  return useMemo(() => {
    if (!data) return undefined;
    const known = Object.entries(data).flatMap(([name, origin]) => ("by" in origin ? [[name, origin] as const] : []));
    return new Map(
      known.map(([name, { at, by }]) => {
        const who = authorText(by, words);
        const long = (label: string) => words.lastChangedLong(label, who, formatDateTime(at));
        return [name, { short: words.lastChanged(who, formatAgo(at)), long }];
      }),
    );
  }, [data, words]);
}
