// Where the user is signed in.

import { useQuery } from "@tanstack/react-query";
import { endSession, sessionsQuery } from "#session/account.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { Part } from "./Part.tsx";
import { SessionGrid } from "./SessionGrid.tsx";

export function SessionsPart() {
  const words = useWords(profileWords);
  const sessions = useQuery(sessionsQuery);
  return (
    <Part title={words.sessions} text={words.sessionsText}>
      {sessions.data ? (
        <SessionGrid sessions={sessions.data} end={endSession} onEnded={() => sessions.refetch()} />
      ) : sessions.isError ? (
        <Failed error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Skeleton height="6rem" />
      )}
    </Part>
  );
}
