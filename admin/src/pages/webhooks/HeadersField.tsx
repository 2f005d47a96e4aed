// Own headers of a webhook: a list of names, and of values that are typed and never shown again.

import { Plus, Trash2 } from "lucide-react";
import { useId } from "react";
import { useFieldState } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { Button } from "#ui/Button.tsx";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { webhookWords } from "#words/webhooks.ts";
import { type HeaderRow, headersIn } from "./webhook-values.ts";
import css from "./webhooks.module.css";

export function HeadersField({ store }: { store: FormStore }) {
  const words = useWords(webhookWords);
  const id = useId();
  const { value, error } = useFieldState(store, "headers");
  const rows = headersIn({ headers: value ?? [] });
  const set = (next: HeaderRow[]) => store.set("headers", next);
  const change = (at: number, part: Partial<HeaderRow>) =>
    set(rows.map((row, other) => (other === at ? { ...row, ...part } : row)));
  return (
    <div data-property="headers">
      <FieldFrame label={words.ownHeaders} help={words.ownHeadersHelp} error={error} htmlFor={id} isGroup>
        <fieldset
          id={id}
          className={css.headers}
          aria-labelledby={labelId(id)}
          aria-describedby={describedBy(id, { help: words.ownHeadersHelp, error })}
        >
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity while their names are typed
            <div key={at} className={css.header}>
              <TextInput
                label={words.headerName}
                isLabelHidden
                placeholder={words.headerName}
                value={row.name}
                onChange={(name) => change(at, { name })}
                isReadOnly={row.isStored}
                isMono
                autoComplete="off"
                spellCheck={false}
              />
              <PasswordInput
                label={words.headerValue(row.name)}
                isLabelHidden
                placeholder={row.isStored ? words.valueStored : words.headerValue("")}
                value={row.value}
                onChange={(typed) => change(at, { value: typed })}
                autoComplete="new-password"
                isUnmanaged
              />
              <IconButton
                label={words.removeHeader(row.name)}
                icon={Trash2}
                onPress={() => set(rows.filter((_, other) => other !== at))}
              />
            </div>
          ))}
          <div>
            <Button icon={Plus} onPress={() => set([...rows, { name: "", value: "", isStored: false }])} data-add>
              {words.addHeader}
            </Button>
          </div>
        </fieldset>
      </FieldFrame>
    </div>
  );
}
