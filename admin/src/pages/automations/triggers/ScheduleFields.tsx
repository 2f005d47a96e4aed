// The times of a schedule: the text, checked as it is typed, and the next times in words.

import { useMemo } from "react";
import { plainText } from "#fields/field-kind.ts";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import css from "#pages/automations/automations.module.css";
import { nextTimes } from "#pages/automations/next-times.ts";
import { useStart } from "#session/start.ts";
import { TextInput } from "#ui/TextInput.tsx";
import { automationsWords } from "#words/automations.ts";
import { currentLanguage, useWords } from "#words/language.ts";

export function ScheduleFields({ path }: { path: string }) {
  const words = useWords(automationsWords);
  const { site } = useStart();
  const { store, isReadOnly } = useFormScope();
  const { value, error } = useFieldState(store, `${path}.cron`);
  const text = plainText(value);
  const found = useMemo(() => nextTimes(text, site.timezone), [text, site.timezone]);
  const isWrong = "isWrong" in found;
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...{ weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
    timeZone: site.timezone,
  });
  return (
    <div className={css.pair}>
      <div data-property={`${path}.cron`}>
        <TextInput
          label={words.schedule}
          description={words.scheduleHelp}
          value={text}
          onChange={(next) => store.set(`${path}.cron`, next)}
          error={isWrong ? words.scheduleWrong : error}
          isReadOnly={isReadOnly}
          isRequired
          isMono
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <section className={css.times} aria-live="polite">
        {!isWrong && (
          <>
            <h3 className={css.partTitle}>{words.nextTimes(site.timezone)}</h3>
            {found.times.length === 0 ? (
              <p className={css.quiet}>{words.noNextTime}</p>
            ) : (
              <ol>
                {found.times.map((time) => (
                  <li key={time.toISOString()}>
                    <time dateTime={time.toISOString()}>{format.format(time)}</time>
                  </li>
                ))}
              </ol>
            )}
          </>
        )}
      </section>
    </div>
  );
}
