// What the members of a group lose and gain, before it is saved.

import { useId } from "react";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { accessGroupsWords } from "#words/access-groups.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import css from "./access-groups.module.css";
import type { Difference } from "./group-rights.ts";

interface Props {
  difference: Difference;
  members: number;
  /** The members are the users without a group. */
  isOfDefault: boolean;
  onApply: () => void;
  onCancel: () => void;
}

export function ReviewDialog({ difference, members, isOfDefault, onApply, onCancel }: Props) {
  const words = useWords(accessGroupsWords);
  const common = useWords(commonWords);
  return (
    <Dialog
      title={words.reviewTitle}
      onClose={onCancel}
      footer={
        <>
          <Button onPress={onCancel}>{common.cancel}</Button>
          <Button variant="primary" onPress={onApply} autoFocus>
            {words.apply}
          </Button>
        </>
      }
    >
      <div className={css.review}>
        <p className={css.text}>
          {isOfDefault ? `${words.membersOfDefault} ` : ""}
          {words.reviewText}
        </p>
        <RightList title={words.lose(members)} rights={difference.lost} className={css.lost} />
        <RightList title={words.gain(members)} rights={difference.gained} className={css.gained} />
      </div>
    </Dialog>
  );
}

function RightList({ title, rights, className }: { title: string; rights: string[]; className: string | undefined }) {
  const id = useId();
  if (rights.length === 0) return null;
  return (
    <section className={className}>
      <h3 id={id}>{title}</h3>
      <ul aria-labelledby={id}>
        {rights.map((right) => (
          <li key={right}>{right}</li>
        ))}
      </ul>
    </section>
  );
}
