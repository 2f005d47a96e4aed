// What stands around a field: help, counter, "changed · undo"; and a field that is only read.

import { CircleQuestionMark, Lock as LockIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "#ui/Icon.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import type { FieldInputProps } from "./field-kind.ts";
import css from "./frame.module.css";
import { Help } from "./Help.tsx";
import type { FieldProperty, Lock } from "./property.ts";

/** What every control of ui/ takes. */
export function frameProps(props: FieldInputProps) {
  const { id, property, description, error, extra, isDisabled, isLabelHidden, onBlur } = props;
  const { label, isRequired } = property;
  return { id, label, description, error, extra, isRequired, isDisabled, isLabelHidden, onBlur };
}

/** Beneath the label, in a box, or with a tooltip for screen readers alone. */
export function FieldHelp({ text, style }: { text: string; style: string }) {
  if (style === "tooltip")
    return (
      <VisuallyHidden>
        <Help text={text} />
      </VisuallyHidden>
    );
  return style === "box" ? (
    <span className={css.helpBox}>
      <Help text={text} />
    </span>
  ) : (
    <Help text={text} />
  );
}

/** The sign that shows the help of a field, where that is a tooltip. */
export function HelpTip({ label, text }: { label: string; text: string }) {
  const words = useWords(fieldWords);
  return (
    <button type="button" className={css.tip} data-tip={text.replace(/<[^>]*>/g, "")}>
      <Icon of={CircleQuestionMark} />
      {/* As text, not as a label: the field alone is found by its label. */}
      <VisuallyHidden>{words.helpOn(label)}</VisuallyHidden>
    </button>
  );
}

/** From this share of the limit on the counter is shown. */
const counterFrom = 0.8;

interface ExtraProps {
  label: string;
  isDirty: boolean;
  onUndo: () => void;
  /** Characters now, and at most. */
  length: number;
  maxLength: number | undefined;
}

export function Extra({ label, isDirty, onUndo, length, maxLength }: ExtraProps) {
  const words = useWords(fieldWords);
  const isCounted = maxLength !== undefined && length >= maxLength * counterFrom;
  if (!isDirty && !isCounted) return null;
  return (
    <span className={css.extra}>
      {isCounted && <span className={length > maxLength ? css.over : css.count}>{words.used(length, maxLength)}</span>}
      {isDirty && (
        <span className={css.changed}>
          {words.changed} ·{" "}
          <button type="button" className={css.undo} onClick={onUndo}>
            {/* As text, not as a label: the field alone is found by its label. */}
            <span aria-hidden="true">{words.undo}</span>
            <VisuallyHidden>{words.undoChange(label)}</VisuallyHidden>
          </button>
        </span>
      )}
    </span>
  );
}

interface ReadOnlyProps {
  property: Pick<FieldProperty, "label" | "definition" | "isRequired">;
  /** Empty without a value. */
  text: string;
  lock?: Lock | undefined;
  /** Why it is not edited here. */
  note?: string | undefined;
  error?: string | undefined;
  extra?: ReactNode;
  /** Beside the text. */
  action?: ReactNode;
  /** In place of the text. */
  children?: ReactNode;
}

/** A value as text beside its label. */
export function ReadOnlyField({ property, text, lock, note, error, extra, action, children }: ReadOnlyProps) {
  const words = useWords(fieldWords);
  const { help } = property.definition;
  return (
    <dl className={css.read}>
      <dt className={css.term}>
        {lock && <Icon of={LockIcon} className={css.lock} />}
        {property.label}
        {extra}
      </dt>
      <dd className={css.about}>{typeof help === "string" && help !== "" && <Help text={help} />}</dd>
      <dd className={css.value}>
        {text === "" ? (
          <span className={css.none}>{words.isEmpty}</span>
        ) : (
          (children ?? <span className={css.text}>{text}</span>)
        )}
        {action}
      </dd>
      {(lock || note) && <dd className={css.note}>{lock ? words.locks[lock] : note}</dd>}
      {error && <dd className={css.error}>{error}</dd>}
    </dl>
  );
}
