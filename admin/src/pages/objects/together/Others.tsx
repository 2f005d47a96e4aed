// The people that have the object open, and a notice when one of them has saved it.

import type { PresenceAnswer } from "@contract/admin.ts";
import { useState } from "react";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { formWords } from "#words/form.ts";
import { formatAgo, formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./Others.module.css";
import type { Presence } from "./use-presence.ts";

type People = PresenceAnswer["others"];

/** In the header: those that edit are named, the others are initials. */
export function Others({ others }: { others: People }) {
  const words = useWords(formWords);
  const editing = others.filter((one) => one.editing).map(({ name }) => name);
  return (
    <span className={css.others} role="status" aria-label={words.presence}>
      {others.slice(0, 4).map(({ id, name }) => (
        <Avatar key={id} name={name} isNamed={!editing.includes(name)} />
      ))}
      {editing.length > 0 && (
        <span className={css.editing}>{words.isEditing(formatList(editing), editing.length)}</span>
      )}
    </span>
  );
}

/** In the side panel. */
export function HereNow({ others }: { others: People }) {
  const words = useWords(formWords);
  return (
    <ul className={css.list}>
      {others.map(({ id, name, editing }) => (
        <li key={id}>
          <Avatar name={name} />
          <span>{editing ? words.hereEditing(name) : name}</span>
        </li>
      ))}
    </ul>
  );
}

interface NewerProps {
  presence: Presence;
  onTakeOver: () => Promise<void>;
}

/** Shown until the changes are taken over. */
export function NewerNotice({ presence, onTakeOver }: NewerProps) {
  const words = useWords(formWords);
  const [taken, setTaken] = useState("");
  const [isPending, setIsPending] = useState(false);
  const { newer, others } = presence;
  if (!newer || newer.etag === taken) return null;
  const [only] = others;
  const name = others.length === 1 && only ? only.name : words.somebody;
  const take = async () => {
    setIsPending(true);
    try {
      await onTakeOver();
      setTaken(newer.etag);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <div role="status">
      <Notice
        tone="info"
        action={
          <Button isPending={isPending} onPress={() => void take()}>
            {words.takeOver}
          </Button>
        }
      >
        {words.savedBy(name, formatAgo(newer.modified))}
      </Notice>
    </div>
  );
}
