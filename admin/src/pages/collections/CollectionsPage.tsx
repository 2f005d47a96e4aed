// All collections by category, and those that come ready-made.

import type { AdminCollection } from "@contract/admin.ts";
import { Eye, Plus } from "lucide-react";
import { useId, useState } from "react";
import { useCan, useStart } from "#session/start.ts";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { Slab } from "#ui/Slab.tsx";
import { collectionsWords } from "#words/collections.ts";
import { useWords } from "#words/language.ts";
import css from "./CollectionsPage.module.css";
import { type ReadyMadeId, useReadyMade } from "./ready-made.ts";

/** From so many on a field helps to find one. */
const findFrom = 8;

export function CollectionsPage() {
  const words = useWords(collectionsWords);
  const { collections } = useStart();
  const can = useCan();
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = collections.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted));
  const canCreate = can("create", "collections");
  const newLink = (
    <LinkButton to="/admin/collections/-new" variant="primary" icon={Plus}>
      {words.newCollection}
    </LinkButton>
  );
  return (
    <Page title={words.title} actions={canCreate && newLink}>
      {collections.length >= findFrom && (
        <div className={css.find}>
          <SearchInput label={words.find} placeholder={words.find} value={text} onChange={setText} />
        </div>
      )}
      {collections.length === 0 && <EmptyState title={words.emptyTitle} text={words.emptyText} />}
      {collections.length > 0 && found.length === 0 && <p role="status">{words.noMatch}</p>}
      {byCategory(found, words.otherCategory).map(([category, inside]) => (
        <Category key={category} name={category} collections={inside} />
      ))}
      {canCreate && wanted === "" && <ReadyMade existing={collections.map(({ id }) => id)} />}
    </Page>
  );
}

function Category({ name, collections }: { name: string; collections: AdminCollection[] }) {
  const words = useWords(collectionsWords);
  const id = useId();
  return (
    <section aria-labelledby={id} className={css.section}>
      <h2 id={id} className={css.heading}>
        {name}
      </h2>
      <Slab isFlush>
        <ul>
          {collections.map((collection) => (
            <li key={collection.id} className={css.line}>
              <span className={css.name}>
                <TextLink to="/admin/collections/$collection" params={{ collection: collection.id }}>
                  {collection.name}
                </TextLink>
                <code className={css.id}>{collection.id}</code>
              </span>
              <span className={css.marks}>
                {!collection.operations.includes("update") && <Badge icon={Eye}>{words.readOnly}</Badge>}
                {collection.singleton && <Badge>{words.singleton}</Badge>}
              </span>
              <span className={css.count}>{words.count(collection.count)}</span>
            </li>
          ))}
        </ul>
      </Slab>
    </section>
  );
}

function byCategory(collections: readonly AdminCollection[], other: string): [name: string, AdminCollection[]][] {
  const groups = Map.groupBy(collections, ({ category }) => category || other);
  const last = (name: string) => (name === other ? 1 : 0);
  return [...groups].sort(([one], [two]) => last(one) - last(two) || one.localeCompare(two));
}

/** Collections that the server knows by name and that are not there yet. */
function ReadyMade({ existing }: { existing: string[] }) {
  const words = useWords(collectionsWords);
  const id = useId();
  const { add, adding } = useReadyMade();
  const offered = Object.entries(words.ready).filter(([name]) => !existing.includes(name));
  if (offered.length === 0) return null;
  return (
    <section aria-labelledby={id} className={css.section}>
      <h2 id={id} className={css.heading}>
        {words.readyTitle}
      </h2>
      <p className={css.text}>{words.readyText}</p>
      <ul className={css.ready}>
        {offered.map(([collection, { name, text }]) => (
          <Slab as="li" key={collection} className={css.offer}>
            <span className={css.offerName}>{name}</span>
            <span className={css.text}>{text}</span>
            <Button
              icon={Plus}
              aria-label={words.add(name)}
              isPending={adding === collection}
              onPress={() => void add(collection as ReadyMadeId)}
            >
              {words.addShort}
            </Button>
          </Slab>
        ))}
      </ul>
    </section>
  );
}
