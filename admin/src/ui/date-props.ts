// What a date is given, by DateInput and by the part that it fetches.

import type { FieldProps } from "./FieldFrame.tsx";

export interface DateInputProps extends FieldProps {
  /** "YYYY-MM-DD", with a time zone "YYYY-MM-DDTHH:MM:SS.sssZ"; "" for none. */
  value: string;
  /** The field is a point in time, shown in this zone to the minute. */
  timezone?: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}
