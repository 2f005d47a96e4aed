// A point in time, in the time zone of the site, which is written beside it.

import { DateInput } from "#ui/DateInput.tsx";
import { fieldWords } from "#words/fields.ts";
import { formatDateTime } from "#words/format.ts";
import { currentLanguage, useWords } from "#words/language.ts";
import { isDate } from "./date.tsx";
import { type FieldInputProps, type FieldKind, isNothing, plainText } from "./field-kind.ts";
import css from "./frame.module.css";
import { frameProps } from "./frame.tsx";

function Input(props: FieldInputProps) {
  const { value, onChange, context, extra } = props;
  const words = useWords(fieldWords);
  const { timezone } = context;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const inOwn = own !== timezone && !isNothing(value) ? `${own}: ${formatDateTime(plainText(value))}` : undefined;
  const zone = (
    <span className={css.zone} title={inOwn}>
      {extra} {words.zone(timezone)}
    </span>
  );
  return (
    <DateInput
      {...frameProps(props)}
      extra={zone}
      value={isNothing(value) ? "" : new Date(plainText(value)).toISOString()}
      onChange={onChange}
      timezone={timezone}
    />
  );
}

export const datetimeField: FieldKind = {
  kinds: ["datetime"],
  Input,
  text: (value, _, { timezone }) =>
    isNothing(value)
      ? ""
      : `${new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short", timeZone: timezone }).format(new Date(plainText(value)))} (${timezone})`,
  isEmpty: isNothing,
  accepts: isDate,
};
