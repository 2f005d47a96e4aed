// One user; without an id, a new one.

import { useParams } from "@tanstack/react-router";
import { ObjectPageOf } from "#pages/objects/ObjectPage.tsx";
import { useCan } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { UserPages, usersCollection } from "./user-pages.tsx";

export function UserPage() {
  const { id } = useParams({ strict: false });
  const words = useWords(shellWords);
  const can = useCan();
  if (!can("read", "admin")) return <Page title={id ?? words.newUser} needs={false} />;
  return (
    <UserPages>
      <ObjectPageOf collection={usersCollection} id={id} />
    </UserPages>
  );
}
