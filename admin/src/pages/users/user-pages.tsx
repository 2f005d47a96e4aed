// The pages of users around the form of objects: users are objects of the collection `auth`.

import { adminGroup } from "@contract/access-groups.ts";
import { UserCheck } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { type ObjectPages, ObjectPagesContext, type ShownObject } from "#pages/objects/object-pages.ts";
import { impersonate } from "#session/sign-in.ts";
import { useStart } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { LinkButton } from "#shell/links.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { usersWords } from "#words/users.ts";
import { UserParts } from "./UserParts.tsx";

export const usersCollection = "auth";

export function UserPages({ children }: { children: ReactNode }) {
  const words = useWords(usersWords);
  const pages = useMemo<ObjectPages>(
    () => ({
      table: { to: "/admin/users" },
      tableName: words.title,
      newObject: { to: "/admin/users/-new" },
      object: (id) => ({ to: "/admin/users/$id", params: { id } }),
      breadcrumbs: [{ label: words.manage }, { label: words.title, to: "/admin/users" }],
      newTitle: words.newUser,
      columns: ["name", "email", "groups", "active", "lastlogin"],
      above: (user) => <Yourself user={user} />,
      actions: (user) => <ActAs user={user} />,
      below: (user) => <UserParts key={user.id} user={user} />,
    }),
    [words],
  );
  return <ObjectPagesContext value={pages}>{children}</ObjectPagesContext>;
}

function Yourself({ user }: { user: ShownObject }) {
  const words = useWords(usersWords);
  const { user: own } = useStart();
  if (user.id !== own.id) return null;
  return (
    <Notice tone="info" action={<LinkButton to="/admin/profile">{words.profile}</LinkButton>}>
      {words.yourself}
    </Notice>
  );
}

/** Never as an administrator, as a user who may not sign in, or while acting as somebody. */
function ActAs({ user }: { user: ShownObject }) {
  const words = useWords(usersWords);
  const common = useWords(commonWords);
  const { user: own, impersonator } = useStart();
  const [isPending, setIsPending] = useState(false);
  const { groups, active } = user.stored;
  const isAdmin = Array.isArray(groups) && groups.includes(adminGroup);
  if (user.id === own.id || isAdmin || active !== true || impersonator) return null;
  const act = () => {
    setIsPending(true);
    impersonate(user.id).catch((error: unknown) => {
      setIsPending(false);
      toast.bad(errorText(error, common).text);
    });
  };
  return (
    <Button icon={UserCheck} isPending={isPending} onPress={act}>
      {words.actAs(user.title)}
    </Button>
  );
}
