// The collections that hold content, by category: the categories open and close, and from eight collections on there is a filter.

import type { AdminCollection } from "@contract/admin.ts";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronRight, Plus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { savePreferences, usePreferences } from "#session/preferences.ts";
import { useStart } from "#session/start.ts";
import { linkProps, TextLink } from "#shell/links.tsx";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import styles from "./Column.module.css";
import { byCategory, contentCollections } from "./categories.ts";
import { isAt } from "./is-at.ts";

/** So many need a filter. */
const many = 8;

export function CollectionList() {
  const words = useWords(shellWords);
  const collections = contentCollections(useStart().collections);
  const [filter, setFilter] = useState("");
  const categories = byCategory(collections, filter);
  return (
    <>
      {collections.length >= many && (
        <div className={styles.filter}>
          <SearchInput label={words.filterCollections} placeholder={words.filter} value={filter} onChange={setFilter} />
        </div>
      )}
      {categories.map(({ name, collections: own }) => (
        <CategoryPart key={name} name={name} isFiltered={filter !== ""}>
          {own.map((collection) => (
            <CollectionEntry key={collection.id} collection={collection} />
          ))}
        </CategoryPart>
      ))}
      {filter !== "" && categories.length === 0 && <p className={styles.none}>{words.noCollectionMatches}</p>}
    </>
  );
}

interface CategoryProps {
  name: string;
  /** All are open while one is looked for. */
  isFiltered: boolean;
  children: ReactNode;
}

function CategoryPart({ name, isFiltered, children }: CategoryProps) {
  const { closedCategories } = usePreferences();
  const closed = Array.isArray(closedCategories) ? (closedCategories as string[]) : [];
  const isOpen = isFiltered || !closed.includes(name);
  const id = useId();
  if (name === "") return <ul>{children}</ul>;
  const toggle = () =>
    savePreferences({ closedCategories: isOpen ? [...closed, name] : closed.filter((other) => other !== name) });
  return (
    <>
      <button type="button" className={styles.category} aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <Icon of={ChevronRight} className={styles.arrow} />
        {name}
      </button>
      <ul id={id} hidden={!isOpen}>
        {children}
      </ul>
    </>
  );
}

function CollectionEntry({ collection }: { collection: AdminCollection }) {
  const { id, name, count, singleton, labelSingular, operations } = collection;
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isHere = isAt(path, `/admin/collections/${encodeURIComponent(id)}`);
  const isMade = !singleton && operations.includes("create");
  const add = () => void navigate(linkProps({ to: "/admin/collections/$collection/-new", params: { collection: id } }));
  return (
    <li className={styles.entry}>
      <TextLink
        to="/admin/collections/$collection"
        params={{ collection: id }}
        className={styles.link}
        aria-current={isHere ? "page" : undefined}
      >
        <span className={styles.label}>{name}</span>
      </TextLink>
      {isMade && (
        <IconButton
          icon={Plus}
          isSmall
          className={styles.add}
          label={words.newOf(labelSingular || words.object)}
          onPress={add}
        />
      )}
      {!singleton && <span className={styles.count}>{formatNumber(count)}</span>}
    </li>
  );
}
