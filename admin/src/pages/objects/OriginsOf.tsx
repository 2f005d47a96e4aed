// Who last changed each property of an object, for the labels of its form. Asked for after the form is there.

import type { AdminCollection } from "@contract/admin.ts";
import type { PropertyOrigin } from "@contract/history.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Origins } from "#form/form-context.ts";
import { authorText } from "#session/author.ts";
import { authorWords } from "#words/authors.ts";
import { formatAgo } from "#words/format.ts";
import { useWords } from "#words/language.ts";

interface Props {
  collection: AdminCollection;
  id: string;
  onKnown: (origins: Origins | undefined) => void;
}

/** Draws nothing. A refusal is no reason to disturb the form. */
export function OriginsOf({ collection: { id: collection, history }, id, onKnown }: Props) {
  const words = useWords(authorWords);
  const { data } = useQuery({
    queryKey: ["objects", collection, "origins", id],
    enabled: history !== "off",
    retry: false,
    queryFn: ({ signal }) =>
      askData<Record<string, PropertyOrigin>>(routes.origins, { path: { collection, id }, signal }),
  });
  const origins = useMemo(() => {
    if (!data) return undefined;
    const known = Object.entries(data).flatMap(([name, origin]) => ("by" in origin ? [[name, origin] as const] : []));
    return new Map(
      known.map(([name, { at, by }]) => {
        return [name, words.lastChanged(authorText(by, words), formatAgo(at))] as const;
      }),
    );
  }, [data, words]);
  useEffect(() => onKnown(origins), [origins, onKnown]);
  return null;
}
