// All users: who they are, their groups, whether they may sign in, and when they last did.

import { lazy } from "react";
import { useCan } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { UserPages, usersCollection } from "./user-pages.tsx";

const CollectionTableOf = lazy(() =>
  import("#pages/collections/CollectionTablePage.tsx").then((part) => ({ default: part.CollectionTableOf })),
);

export function UsersPage() {
  const words = useWords(shellWords);
  const can = useCan();
  if (!can("read", "admin")) return <Page title={words.users} needs={false} />;
  return (
    <UserPages>
      <CollectionTableOf id={usersCollection} />
    </UserPages>
  );
}
