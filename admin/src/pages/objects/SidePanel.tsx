// Beside the form: what the server says about the object, the headings of the form, and who else is here.

import type { FormDescription } from "@contract/admin.ts";
import { readFormgrid } from "@rules/formgrid.ts";
import { useMemo } from "react";
import { useBase } from "#form/form-context.ts";
import { UsedBy } from "#form/references/UsedBy.tsx";
import type { FormStore } from "#form/store.ts";
import { Slab } from "#ui/Slab.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { referencesWords } from "#words/references.ts";
import { About } from "./About.tsx";
import css from "./object.module.css";
import { HereNow } from "./together/Others.tsx";
import type { Presence } from "./together/use-presence.ts";

interface Props {
  form: FormDescription;
  store: FormStore;
  /** The form is shown, so that its headings can be gone to. */
  hasForm: boolean;
  others: Presence["others"];
}

export function SidePanel({ form, store, hasForm, others }: Props) {
  const words = useWords(formWords);
  const references = useWords(referencesWords);
  const id = useBase(store, "id");
  const headings = useMemo(() => headingsOf(form.schema.formgrid ?? ""), [form]);
  return (
    <>
      <Slab>
        <h2 className={css.sideTitle}>{words.about}</h2>
        <About form={form} store={store} />
      </Slab>
      {typeof id === "string" && (
        <Slab>
          <h2 className={css.sideTitle}>{references.usedBy}</h2>
          <UsedBy key={id} collection={form.collection} id={id} />
        </Slab>
      )}
      {hasForm && headings.length > 1 && (
        <Slab>
          <h2 className={css.sideTitle}>{words.outline}</h2>
          <nav aria-label={words.outline}>
            <ul className={css.outline}>
              {headings.map((title) => (
                <li key={title}>
                  <a
                    href={`#${encodeURIComponent(title)}`}
                    onClick={(event) => {
                      event.preventDefault();
                      goTo(title);
                    }}
                  >
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </Slab>
      )}
      {others.length > 0 && (
        <Slab>
          <h2 className={css.sideTitle}>{words.hereNow}</h2>
          <HereNow others={others} />
        </Slab>
      )}
    </>
  );
}

/** Each once: headings, and legends of fieldsets. */
function headingsOf(formgrid: string): string[] {
  const found = readFormgrid(formgrid, []).flatMap((block) => {
    if (block.kind === "heading") return [block.title];
    return block.kind === "fieldset" && block.legend !== "" ? [block.legend] : [];
  });
  return [...new Set(found)];
}

function goTo(title: string): void {
  const heading = document.querySelector<HTMLElement>(`[data-heading="${CSS.escape(title)}"]`);
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: "start" });
}
