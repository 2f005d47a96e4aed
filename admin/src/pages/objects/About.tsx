// What the server says about an object: its id, its times, its address on the site.

import type { FormDescription } from "@contract/admin.ts";
import { ExternalLink } from "lucide-react";
import { useBase } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Icon } from "#ui/Icon.tsx";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./About.module.css";

interface Props {
  form: FormDescription;
  store: FormStore;
}

export function About({ form, store }: Props) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const id = useBase(store, "id");
  const created = useBase(store, "created");
  const modified = useBase(store, "modified");
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
