// All users: who they are, their groups, whether they may sign in, and when they last did.

import { CollectionTableOf } from "#pages/collections/CollectionTablePage.tsx";
import { useCan } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { useWords } from "#words/language.ts";
import { usersWords } from "#words/users.ts";
import { UserPages, usersCollection } from "./user-pages.tsx";

export function UsersPage() {
  const words = useWords(usersWords);
  const can = useCan();
  if (!can("read", "admin")) return <Page title={words.title} needs={false} />;
  return (
    <UserPages>
      <CollectionTableOf id={usersCollection} />
    </UserPages>
  );
}
