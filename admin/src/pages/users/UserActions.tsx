// What a page of a user offers beside its form: to act as them; on one's own page, the way to the profile.

import { adminGroup } from "@contract/access-groups.ts";
import { UserCheck } from "lucide-react";
import { useState } from "react";
import type { ShownObject } from "#pages/objects/object-pages.ts";
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

export function Yourself({ user }: { user: ShownObject }) {
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
export function ActAs({ user }: { user: ShownObject }) {
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
