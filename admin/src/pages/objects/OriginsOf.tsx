// Who last changed each property of an object, for the labels of its form. Asked for after the form is there.

import type { PropertyOrigin } from "@contract/history.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Origins } from "#form/form-context.ts";
import { authorText } from "#session/author.ts";
import { authorWords } from "#words/authors.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";

interface Props {
  collection: string;
  id: string;
  onKnown: (origins: Origins | undefined) => void;
}

/** Draws nothing. A refusal is no reason to disturb the form. */
export function OriginsOf({ collection, id, onKnown }: Props) {
  const words = useWords(authorWords);
  const { data } = useQuery({
    queryKey: ["objects", collection, "origins", id],
    retry: false,
    queryFn: ({ signal }) =>
      askData<Record<string, PropertyOrigin>>(routes.origins, { path: { collection, id }, signal }),
  });
  const origins = useMemo(() => {
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
  useEffect(() => onKnown(origins), [origins, onKnown]);
  return null;
}
