// Links to the saved snippets, by category.

import type { JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { playgroundWords } from "#words/playground.ts";
import css from "./playground.module.css";

const shown = 100;

export function SavedSnippets({ open }: { open: string | undefined }) {
  const words = useWords(playgroundWords);
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ["objects", "playground", "saved"],
    queryFn: ({ signal }) =>
      askData<JsonObject[]>(routes.query, {
        path: { collection: "playground" },
        query: { limit: shown, sort: "category,name" },
        signal,
      }),
  });
  return (
    <Slab as="section" aria-labelledby={id} className={css.slab}>
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          {words.saved}
        </h2>
        {open !== undefined && (
          <LinkButton to="/admin/playground" icon={Plus}>
            {words.newSnippet}
          </LinkButton>
        )}
      </div>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={css.help}>{words.none}</p>}
      {data && data.length > 0 && (
        <ul className={css.list}>
          {data.map(({ id: snippet, name, category }) => (
            <li key={String(snippet)}>
              <TextLink
                to="/admin/playground/$id"
                params={{ id: String(snippet) }}
                aria-current={snippet === open ? "page" : undefined}
              >
                {String(name ?? snippet)}
              </TextLink>
              {typeof category === "string" && category !== "" && <span className={css.help}>{category}</span>}
            </li>
          ))}
        </ul>
      )}
    </Slab>
  );
}
