import { parseTime } from "@internationalized/date";
import { X } from "lucide-react";
import { useId, useRef } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { DateInput as AriaInput, DateSegment, TimeField } from "react-aria-components/TimeField";
import { currentLanguage, useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { classes } from "./classes.ts";
import control from "./control.module.css";
import css from "./DateInput.module.css";
import { describedBy, FieldFrame, type FieldProps, frameOf, labelId } from "./FieldFrame.tsx";
import { IconButton } from "./IconButton.tsx";

export interface TimeInputProps extends FieldProps {
  /** "HH:MM"; "" for none. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

export function TimeParts(props: TimeInputProps) {
  const { description, error, isRequired, isReadOnly, isDisabled } = props;
  const { value, onChange, onBlur } = props;
  const words = useWords(uiWords);
  const own = useId();
  const id = props.id ?? own;
  const box = useRef<HTMLDivElement>(null);
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id} isGroup>
      <I18nProvider locale={currentLanguage()}>
        <div ref={box} className={classes(control.box, css.box, !!error && control.wrong)}>
          <TimeField
            id={id}
            value={value === "" ? null : parseTime(value)}
            onChange={(next) => onChange(next ? next.toString().slice(0, 5) : "")}
            hourCycle={24}
            shouldForceLeadingZeros
            onBlur={onBlur}
            isInvalid={!!error}
            isRequired={isRequired}
            isReadOnly={isReadOnly}
            isDisabled={isDisabled}
            validationBehavior="aria"
            aria-labelledby={labelId(id)}
            aria-describedby={describedBy(id, { help: description, error })}
            className={css.time}
          >
            <AriaInput className={css.parts}>
              {(segment) => (
                <DateSegment segment={segment} className={css.part}>
                  {({ isPlaceholder, text }) => (isPlaceholder ? "––" : text)}
                </DateSegment>
              )}
            </AriaInput>
          </TimeField>
          {value !== "" && !isRequired && !isReadOnly && !isDisabled && (
            <span className={control.after}>
              <IconButton
                label={words.emptyTime}
                icon={X}
                isSmall
                aria-describedby={labelId(id)}
                onPress={() => {
                  onChange("");
                  box.current?.querySelector<HTMLElement>("[role=spinbutton]")?.focus();
                }}
              />
            </span>
          )}
        </div>
      </I18nProvider>
    </FieldFrame>
  );
}
