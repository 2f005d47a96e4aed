// The way to every page: entries by group, collections by category.

import { useCan, useStart } from "#session/start.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { TextLink } from "./links.tsx";
import { entriesFor } from "./navigation.ts";

export function Sidebar() {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const { collections } = useStart();
  const can = useCan();
  return (
    <nav aria-label={words.main}>
      <ul>
        {entriesFor(can).map((entry) => (
          <li key={entry.id}>
            <TextLink to={entry.to}>{entry.label(words)}</TextLink>
          </li>
        ))}
        {collections.map(({ id, name }) => (
          <li key={id}>
            <TextLink to="/admin/collections/$collection" params={{ collection: id }}>
              {name}
            </TextLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
