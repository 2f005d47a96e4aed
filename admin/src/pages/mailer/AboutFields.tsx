// Which object a mail is about: its collection and the object itself.

import { useState } from "react";
import { useStart } from "#session/start.ts";
import { Select } from "#ui/Select.tsx";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { type About, useTargets } from "./about-object.ts";
import { mailerCollection } from "./mail-calls.ts";
import css from "./mailer.module.css";

interface Props {
  about: About;
  onChange: (about: About) => void;
}

export function AboutFields({ about, onChange }: Props) {
  const words = useWords(mailerWords);
  const [text, setText] = useState("");
  const found = useTargets(about.collection, text);
  return (
    <div className={css.pair}>
      <CollectionSelect value={about.collection} onChange={(collection) => onChange({ collection, object: "" })} />
      <Select
        label={words.object}
        value={about.object}
        onChange={(object) => onChange({ ...about, object })}
        options={found.data ?? []}
        onSearch={setText}
        isLoading={found.isFetching}
        isDisabled={about.collection === ""}
        isClearable
        placeholder={words.noObject}
      />
    </div>
  );
}

export function CollectionSelect({ value, onChange }: { value: string; onChange: (collection: string) => void }) {
  const words = useWords(mailerWords);
  const { collections } = useStart();
  return (
    <Select
      label={words.collection}
      value={value}
      onChange={onChange}
      isClearable
      options={collections
        .filter(({ id }) => id !== mailerCollection)
        .map(({ id, name }) => ({ value: id, label: name, detail: id }))}
    />
  );
}
