// Under the form of a user: a mail for a new password, and where they are signed in.

import { useMutation, useQuery } from "@tanstack/react-query";
import { LogOut, Mail } from "lucide-react";
import { useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { Part } from "#pages/profile/Part.tsx";
import { SessionGrid } from "#pages/profile/SessionGrid.tsx";
import type { OwnSession } from "#session/account.ts";
import { useStart } from "#session/start.ts";
import { errorText, Failed, Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { usersWords } from "#words/users.ts";
import css from "./users.module.css";

export function UserParts({ user }: { user: ShownObject }) {
  const { user: own } = useStart();
  return (
    <div className={css.parts}>
      {user.id !== own.id && <AccountPart user={user} />}
      <UserSessions user={user} isOwn={user.id === own.id} />
    </div>
  );
}

function AccountPart({ user }: { user: ShownObject }) {
  const words = useWords(usersWords);
  const { site } = useStart();
  const email = String(user.stored.email ?? "");
  const sending = useMutation({
    mutationFn: () => ask(routes.askForPassword, { body: { email } }),
    onSuccess: () => toast.good(words.resetSent(email)),
  });
  const isActive = user.stored.active === true;
  const text = !site.mail ? words.noMail : isActive ? words.accountText : words.inactive;
  return (
    <Part
      title={words.account}
      text={text}
      actions={
        site.mail &&
        isActive && (
          <Button icon={Mail} isPending={sending.isPending} onPress={() => sending.mutate()}>
            {words.sendReset}
          </Button>
        )
      }
    >
      {sending.error && <Problem error={sending.error} />}
    </Part>
  );
}

function UserSessions({ user, isOwn }: { user: ShownObject; isOwn: boolean }) {
  const words = useWords(usersWords);
  const [isAsking, setIsAsking] = useState(false);
  const { id } = user;
  const sessions = useQuery({
    queryKey: ["user-sessions", id],
    queryFn: ({ signal }) => askData<OwnSession[]>(routes.userSessions, { path: { id }, signal }),
  });
  const end = async (session: string) => {
    await ask(routes.endUserSession, { path: { id, session } });
  };
  const hasOthers = sessions.data?.some(({ isCurrent }) => !isCurrent);
  return (
    <Part
      title={words.sessions}
      text={sessions.data?.length === 0 ? words.sessionsNone : words.sessionsText}
      actions={
        hasOthers && (
          <Button icon={LogOut} onPress={() => setIsAsking(true)}>
            {words.endAll}
          </Button>
        )
      }
    >
      {sessions.data && sessions.data.length > 0 && (
        <SessionGrid sessions={sessions.data} end={end} onEnded={() => sessions.refetch()} />
      )}
      {sessions.isPending && <Skeleton height="6rem" />}
      {sessions.isError && !sessions.data && <Failed error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {isAsking && (
        <EndAll user={user} isOwn={isOwn} onClose={() => setIsAsking(false)} onEnded={() => void sessions.refetch()} />
      )}
    </Part>
  );
}

interface EndAllProps {
  user: ShownObject;
  isOwn: boolean;
  onClose: () => void;
  onEnded: () => void;
}

function EndAll({ user: { id, title }, isOwn, onClose, onEnded }: EndAllProps) {
  const words = useWords(usersWords);
  const common = useWords(commonWords);
  const ending = useMutation({
    mutationFn: () => askData<{ ended: number }>(routes.endUserSessions, { path: { id } }),
    onSuccess: ({ ended }) => {
      toast.good(words.ended(ended));
      onClose();
      onEnded();
    },
  });
  return (
    <ConfirmDialog
      title={words.endAllTitle(title)}
      text={isOwn ? words.endAllOwnText : words.endAllText}
      confirmLabel={words.endAll}
      tone="danger"
      isPending={ending.isPending}
      error={ending.error && errorText(ending.error, common).text}
      onConfirm={() => ending.mutate()}
      onCancel={onClose}
    />
  );
}
