// One property of a form: joins the store and the widget. It alone renders when its value changes.

import { memo, useId, useRef } from "react";
import { Extra, ReadOnlyField } from "#fields/frame.tsx";
import { Help } from "#fields/Help.tsx";
import type { FieldProperty } from "#fields/property.ts";
import { fieldKindOf } from "#fields/registry.ts";
import css from "./FormField.module.css";
import { useCalculated, useFieldState, useFormScope, useInnerError, useIsShown } from "./form-context.ts";

export const FormField = memo(function FormField({ property }: { property: FieldProperty }) {
  const { store, field: context, isReadOnly } = useFormScope();
  const { name, label, lock, maxLength, visibility, definition } = property;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const state = useFieldState(store, name);
  const error = useInnerError(store, name);
  const isShown = useIsShown(store, property);
  const value = useCalculated(store, property, state.value);
  if (!isShown && visibility?.mode === "hide") return null;

  // Judged by what is stored: a field does not turn into another one while it is being typed in.
  const kind = fieldKindOf(property, state.base);
  const isText = isReadOnly || lock !== undefined;
  const undo = () => {
    store.undo(name);
    // The button is gone; the focus stays at the field.
    frame.current?.querySelector<HTMLElement>("input, textarea, [role=spinbutton], [tabindex='0']")?.focus();
  };
  const { help } = definition;
  return (
    <div ref={frame} className={css.field} data-property={name} tabIndex={-1}>
      {isText ? (
        <ReadOnlyField
          property={property}
          text={kind.text(value, property, context)}
          lock={isReadOnly ? undefined : lock}
          error={error}
        />
      ) : (
        <kind.Input
          id={id}
          property={property}
          value={value}
          onChange={(next) => store.set(name, next)}
          onBlur={() => store.touch(name)}
          description={typeof help === "string" && help !== "" ? <Help text={help} /> : undefined}
          error={error}
          extra={
            <Extra
              label={label}
              isDirty={state.isDirty}
              onUndo={undo}
              length={typeof value === "string" ? [...value].length : 0}
              maxLength={maxLength}
            />
          }
          isDisabled={!isShown}
          context={context}
        />
      )}
    </div>
  );
});
