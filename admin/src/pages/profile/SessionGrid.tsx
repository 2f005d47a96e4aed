// Sessions of one user: where they are signed in; each can be ended.

import { useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import type { OwnSession } from "#session/account.ts";
import { readDevice } from "#session/device-name.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import styles from "./Profile.module.css";

interface Props {
  sessions: OwnSession[];
  end: (id: string) => Promise<void>;
  /** Also asks for the list again. */
  onEnded: () => Promise<unknown>;
}

export function SessionGrid({ sessions, end, onEnded }: Props) {
  const words = useWords(profileWords);
  const nameOf = ({ agent }: OwnSession) => {
    const { browser, system } = readDevice(agent);
    return browser && system ? words.deviceOn(browser, system) : browser || system || words.unknownDevice;
  };
  const columns: RecordColumn<OwnSession>[] = [
    {
      id: "device",
      label: words.device,
      cell: (session) => (
        <>
          <span className={styles.device}>{nameOf(session)}</span>{" "}
          {session.isCurrent && <Badge tone="accent">{words.thisOne}</Badge>}
        </>
      ),
    },
    { id: "address", label: words.address, cell: ({ address }) => <code>{address}</code> },
    { id: "since", label: words.since, cell: ({ created }) => formatDateTime(created) },
    {
      id: "seen",
      label: words.seen,
      cell: ({ lastSeen }) => <span title={formatDateTime(lastSeen)}>{formatAgo(lastSeen)}</span>,
    },
    {
      id: "end",
      label: words.actions,
      isLabelHidden: true,
      align: "end",
      cell: (session) => <End session={session} end={end} onEnded={onEnded} />,
    },
  ];
  return <RecordGrid label={words.sessions} columns={columns} rows={sessions} idOf={({ id }) => id} nameOf={nameOf} />;
}

function End({ session, end, onEnded }: Pick<Props, "end" | "onEnded"> & { session: OwnSession }) {
  const common = useWords(commonWords);
  const words = useWords(profileWords);
  const [isPending, setIsPending] = useState(false);
  const press = async () => {
    setIsPending(true);
    try {
      await end(session.id);
      // The own one: nothing is left to show.
      if (session.isCurrent) return location.assign("/admin/login");
      toast.good(words.sessionEnded);
      await onEnded();
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    return setIsPending(false);
  };
  return (
    <Button isPending={isPending} onPress={() => void press()}>
      {words.endSession}
    </Button>
  );
}
