// What the server says about an object: its id, its times, its address on the site.

import type { AdminCollection, FormDescription } from "@contract/admin.ts";
import { ExternalLink, Info } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useFieldState } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./About.module.css";

interface Props {
  collection: AdminCollection;
  form: FormDescription;
  store: FormStore;
}

export function About({ form, store }: Props) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const { base: id } = useFieldState(store, "id");
  const { base: created } = useFieldState(store, "created");
  const { base: modified } = useFieldState(store, "modified");
  return (
    <dl className={css.about}>
      <dt>{words.id}</dt>
      <dd>
        <code className={css.id}>{String(id)}</code>
        <CopyButton text={String(id)} label={common.copy} copiedLabel={common.copied} isIconOnly variant="quiet" />
      </dd>
      <dt>{words.created}</dt>
      <dd>{typeof created === "string" && formatDateTime(created)}</dd>
      <dt>{words.modified}</dt>
      <dd title={typeof modified === "string" ? formatDateTime(modified) : undefined}>
        {typeof modified === "string" && formatAgo(modified)}
      </dd>
      <dt>{words.schema}</dt>
      <dd>{form.schema.title ?? form.schema.id}</dd>
      {form.address !== "" && (
        <>
          <dt>{words.address}</dt>
          <dd>
            <a className={css.address} href={form.address} target="_blank" rel="noreferrer">
              {form.address}
              <Icon of={ExternalLink} />
            </a>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Where there is no room beside the form. */
export function AboutButton({ children }: { children: ReactNode }) {
  const words = useWords(formWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={css.open}>
      <Button icon={Info} variant="quiet" onPress={() => setIsOpen(true)}>
        {words.about}
      </Button>
      {isOpen && (
        <Sheet title={words.about} side="end" onClose={() => setIsOpen(false)}>
          {children}
        </Sheet>
      )}
    </div>
  );
}
