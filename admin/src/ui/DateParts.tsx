// A calendar day, or with a time zone a point in time. Its parts are typed one after the other in the order of the language; the calendar is fetched when it is opened.

import { type DateValue, now, parseAbsolute, parseDate, type ZonedDateTime } from "@internationalized/date";
import { CalendarDays } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { DateInput as AriaInput, DatePicker, DateSegment, Group } from "react-aria-components/DatePicker";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { currentLanguage, useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { buttonClass } from "./Button.tsx";
import { classes } from "./classes.ts";
import control from "./control.module.css";
import css from "./DateInput.module.css";
import { describedBy, FieldFrame, type FieldProps, frameOf, labelId } from "./FieldFrame.tsx";
import { Floating } from "./Floating.tsx";
import { Icon } from "./Icon.tsx";

const CalendarPanel = lazy(() => import("./CalendarPanel.tsx").then((part) => ({ default: part.CalendarPanel })));

export interface DateInputProps extends FieldProps {
  /** "YYYY-MM-DD", with a time zone "YYYY-MM-DDTHH:MM:SS.sssZ"; "" for none. */
  value: string;
  /** The field is a point in time, shown in this zone to the minute. */
  timezone?: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

export function DateParts(props: DateInputProps) {
  const { description, error, isRequired, isReadOnly, isDisabled } = props;
  const { value, onChange, onBlur, timezone } = props;
  const words = useWords(uiWords);
  const own = useId();
  const id = props.id ?? own;
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id} isGroup>
      <I18nProvider locale={currentLanguage()}>
        <DatePicker
          value={parseValue(value, timezone)}
          onChange={(next) => onChange(next ? writeValue(next) : "")}
          granularity={timezone === undefined ? "day" : "minute"}
          placeholderValue={
            timezone === undefined ? undefined : now(timezone).set({ hour: 0, minute: 0, second: 0, millisecond: 0 })
          }
          hideTimeZone
          onBlur={onBlur}
          isInvalid={!!error}
          isRequired={isRequired}
          isReadOnly={isReadOnly}
          isDisabled={isDisabled}
          validationBehavior="aria"
          shouldForceLeadingZeros={false}
          aria-labelledby={labelId(id)}
          aria-describedby={describedBy(id, { help: description, error })}
          className={css.frame}
        >
          <Group
            id={id}
            className={classes(control.box, css.box, !!error && control.wrong, isReadOnly && control.readOnly)}
            aria-invalid={error ? true : undefined}
          >
            <AriaInput className={css.parts}>
              {(segment) => (
                <DateSegment segment={segment} className={css.part}>
                  {({ isPlaceholder, type, text }) => (isPlaceholder ? dashes(type) : text)}
                </DateSegment>
              )}
            </AriaInput>
            {!isReadOnly && (
              <span className={control.after}>
                <AriaButton className={buttonClass("quiet", css.button)} aria-label={words.calendar}>
                  <Icon of={CalendarDays} />
                </AriaButton>
              </span>
            )}
          </Group>
          <Floating className={css.layer} aria-label={words.calendar} aria-labelledby={unset}>
            <Suspense fallback={<div className={css.waiting} />}>
              <CalendarPanel timezone={timezone} />
            </Suspense>
          </Floating>
        </DatePicker>
      </I18nProvider>
    </FieldFrame>
  );
}

/** Takes away what the library sets. */
const unset = "";

/** As many as there are signs to type. */
function dashes(type: string): string {
  return "–".repeat(type === "year" ? 4 : 2);
}

function parseValue(text: string, timezone: string | undefined): DateValue | null {
  try {
    if (text === "") return null;
    return timezone === undefined ? parseDate(text.slice(0, 10)) : parseAbsolute(text, timezone);
  } catch {
    return null;
  }
}

function writeValue(value: DateValue): string {
  return "timeZone" in value ? (value as ZonedDateTime).toDate().toISOString() : value.toString();
}
