// The month of a date field, with Today and Clear. Heavy: fetched when a calendar is opened first.

import { getLocalTimeZone, now, today } from "@internationalized/date";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { use } from "react";
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarHeading,
} from "react-aria-components/Calendar";
import { DatePickerStateContext } from "react-aria-components/DatePicker";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { Button, buttonClass } from "./Button.tsx";
import css from "./CalendarPanel.module.css";
import { Icon } from "./Icon.tsx";

/** With a time zone the field is a point in time: Today is this minute. */
export function CalendarPanel({ timezone }: { timezone?: string }) {
  const words = useWords(uiWords);
  const state = use(DatePickerStateContext);
  const set = (day: Parameters<NonNullable<typeof state>["setValue"]>[0]) => {
    state?.setValue(day);
    state?.setOpen(false);
  };
  return (
    <div className={css.panel}>
      <Calendar className={css.calendar}>
        <div className={css.head}>
          <AriaButton slot="previous" className={buttonClass("quiet", css.arrow)} aria-label={words.previousMonth}>
            <Icon of={ChevronLeft} />
          </AriaButton>
          <CalendarHeading className={css.month} />
          <AriaButton slot="next" className={buttonClass("quiet", css.arrow)} aria-label={words.nextMonth}>
            <Icon of={ChevronRight} />
          </AriaButton>
        </div>
        <CalendarGrid className={css.grid} weekdayStyle="short">
          <CalendarGridHeader>
            {(day) => <CalendarHeaderCell className={css.weekday}>{day}</CalendarHeaderCell>}
          </CalendarGridHeader>
          <CalendarGridBody>{(date) => <CalendarCell date={date} className={css.day} />}</CalendarGridBody>
        </CalendarGrid>
      </Calendar>
      <div className={css.foot}>
        <Button
          variant="quiet"
          onPress={() =>
            set(timezone === undefined ? today(getLocalTimeZone()) : now(timezone).set({ second: 0, millisecond: 0 }))
          }
        >
          {words.today}
        </Button>
        <Button variant="quiet" onPress={() => set(null)}>
          {words.clear}
        </Button>
      </div>
    </div>
  );
}
