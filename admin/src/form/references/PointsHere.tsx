// The objects that point to one, as links: asked for by a question before it is deleted, and beside its form.

import { Fragment } from "react";
import { Notice } from "#ui/Notice.tsx";
import { useWords } from "#words/language.ts";
import { referencesWords } from "#words/references.ts";
import css from "./references.module.css";
import { type References, useReferences } from "./use-references.ts";

interface Props {
  collection: string;
  id: string;
}

/** In a question: nothing while nothing is known. */
export function PointsHere({ collection, id }: Props) {
  const words = useWords(referencesWords);
  const { data: found } = useReferences(collection, id);
  if (!found || (found.data.length === 0 && !found.meta.indexing)) return null;
  const { data, meta } = found;
  return (
    <Notice tone="warn" {...(data.length > 0 && { title: words.some(data.length, meta.cursor !== undefined) })}>
      <PointingList found={found} />
    </Notice>
  );
}

export function PointingList({ found: { data, meta } }: { found: References }) {
  const words = useWords(referencesWords);
  return (
    <Fragment>
      {data.length > 0 && (
        <ul className={css.list}>
          {data.map(({ collection, id, property }) => (
            <li key={`${collection}/${id}/${property}`}>
              <a href={`/admin/collections/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`}>
                {collection}/{id}
              </a>{" "}
              <span className={css.property}>{property}</span>
            </li>
          ))}
          {meta.cursor !== undefined && <li>{words.more}</li>}
        </ul>
      )}
      {meta.indexing && <p>{words.indexing}</p>}
    </Fragment>
  );
}
