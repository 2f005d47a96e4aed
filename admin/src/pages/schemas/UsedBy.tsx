// What uses a schema, as links: collections with their objects, other schemas.

import { Fragment } from "react";
import { TextLink } from "#shell/links.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import type { SchemaUse } from "./schema-queries.ts";

export function UsedBy({ use: { collections, schemas } }: { use: SchemaUse }) {
  const words = useWords(schemasWords);
  const links = [
    ...collections.map(({ id, name, count }) => (
      <TextLink key={`collection ${id}`} to="/admin/collections/$collection" params={{ collection: id }}>
        {words.collectionUse(name, count)}
      </TextLink>
    )),
    ...schemas.map(({ name, title }) => (
      <TextLink key={`schema ${name}`} to="/admin/schemas/$id" params={{ id: name }}>
        {words.schemaUse(title)}
      </TextLink>
    )),
  ];
  return links.map((link, at) => (
    <Fragment key={link.key}>
      {at > 0 && ", "}
      {link}
    </Fragment>
  ));
}

/** The same in words. */
export function usesText(
  { collections, schemas }: SchemaUse,
  words: { schemaUse: (title: string) => string; names: (list: readonly string[]) => string },
): string {
  return words.names([...collections.map(({ name }) => name), ...schemas.map(({ title }) => words.schemaUse(title))]);
}
