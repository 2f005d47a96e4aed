// The pages of users around the form of objects: users are objects of the collection `auth`.

import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { type ObjectPages, ObjectPagesContext } from "#pages/objects/object-pages.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";

const Yourself = lazy(() => import("./UserActions.tsx").then((part) => ({ default: part.Yourself })));
const UndoButton = lazy(() => import("#pages/undo/UndoButton.tsx").then((part) => ({ default: part.UndoButton })));
const ActAs = lazy(() => import("./UserActions.tsx").then((part) => ({ default: part.ActAs })));
const UserParts = lazy(() => import("./UserParts.tsx").then((part) => ({ default: part.UserParts })));

export const usersCollection = "auth";

export function UserPages({ children }: { children: ReactNode }) {
  const words = useWords(shellWords);
  const pages = useMemo<ObjectPages>(
    () => ({
      table: { to: "/admin/users" },
      tableName: words.users,
      newObject: { to: "/admin/users/-new" },
      object: (id) => ({ to: "/admin/users/$id", params: { id } }),
      breadcrumbs: [{ label: words.manage }, { label: words.users, to: "/admin/users" }],
      newTitle: words.newUser,
      // A user without it may not sign in: that is decided, not forgotten.
      fresh: { active: true },
      columns: ["name", "email", "groups", "active", "lastlogin"],
      above: (user) => (
        <Suspense fallback={null}>
          <Yourself user={user} />
        </Suspense>
      ),
      actions: (user) => (
        <Suspense fallback={null}>
          <UndoButton by={{ user: user.id }} name={user.title} />
          <ActAs user={user} />
        </Suspense>
      ),
      below: (user) => (
        <Suspense fallback={null}>
          <UserParts key={user.id} user={user} />
        </Suspense>
      ),
    }),
    [words],
  );
  return <ObjectPagesContext value={pages}>{children}</ObjectPagesContext>;
}
