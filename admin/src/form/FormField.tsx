// One property of a form: joins the store and the widget. It alone renders when its value changes.

import type { JsonObject } from "@contract/json.ts";
import { memo, Suspense, use, useId, useRef } from "react";
import type { FieldContext } from "#fields/field-kind.ts";
import { Extra, FieldHelp, HelpTip, ReadOnlyField } from "#fields/frame.tsx";
import type { FieldProperty } from "#fields/property.ts";
import { fieldKindOf } from "#fields/registry.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { afterPress } from "#ui/timing/afterPress.ts";
import css from "./FormField.module.css";
import { OriginsContext, useCalculated, useErrors, useFieldState, useFormScope, useIsShown } from "./form-context.ts";
import { pathIn } from "./values.ts";

interface Props {
  property: FieldProperty;
  /** Where the value lies in the object. */
  path?: string;
  /** The control alone: its label is for screen readers, and there is no help and no undo. */
  isBare?: boolean;
}

export const FormField = memo(function FormField({ property, path = property.name, isBare }: Props) {
  const { store, root = "", field: context, isReadOnly } = useFormScope();
  const { label, lock, maxLength, visibility, definition } = property;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const state = useFieldState(store, path);
  const errors = useErrors(store, path);
  const isShown = useIsShown(store, property, path);
  const value = useCalculated(store, property, path, state.value);
  const known = use(OriginsContext);
  if (!isShown && visibility?.mode === "hide") return null;

  // Judged by what is stored: a field does not turn into another one while it is being typed in.
  const kind = fieldKindOf(property, state.base);
  const [error] = errors.values();
  const fullPath = pathIn(root, path);
  // Of whole properties alone: what was typed since says itself that it changed.
  const origin = !state.isDirty && known?.get(fullPath);
  const isText = isReadOnly || lock !== undefined;
  const undo = () => {
    store.undo(path);
    // The button is gone; the focus stays at the field.
    frame.current
      ?.querySelector<HTMLElement>("input, textarea, [role=textbox], [role=spinbutton], [tabindex='0']")
      ?.focus();
  };
  const help = typeof definition.help === "string" ? definition.help : "";
  const helpStyle = help === "" ? "" : String(property.settings.helpStyle ?? context.helpStyle);
  const shownOn = helpStyle === "tooltip" || help === "" ? undefined : helpMoments(property.settings, context);
  return (
    <div ref={frame} className={css.field} data-property={fullPath} data-help-on={shownOn} tabIndex={-1}>
      <Suspense fallback={<FieldLoading label={label} />}>
        {isText ? (
          <ReadOnlyField
            property={property}
            text={kind.text(value, property, context)}
            lock={isReadOnly ? undefined : lock}
            error={error}
          >
            {kind.Read && <kind.Read id={id} path={fullPath} property={property} value={value} context={context} />}
          </ReadOnlyField>
        ) : (
          <kind.Input
            id={id}
            path={fullPath}
            property={property}
            value={value}
            onChange={(next) => store.set(path, next)}
            onBlur={() => afterPress(() => store.touch(path))}
            description={
              help === "" || isBare ? undefined : (
                <span className={css.help}>
                  <FieldHelp text={help} style={helpStyle} />
                </span>
              )
            }
            error={error}
            errors={errors}
            extra={
              !isBare && (
                <>
                  {helpStyle === "tooltip" && <HelpTip label={label} text={help} />}
                  {origin && <span className={css.origin}>{origin}</span>}
                  <Extra
                    label={label}
                    isDirty={state.isDirty}
                    onUndo={undo}
                    length={typeof value === "string" ? [...value].length : 0}
                    maxLength={maxLength}
                  />
                </>
              )
            }
            isLabelHidden={isBare}
            isDisabled={!isShown}
            context={context}
          />
        )}
      </Suspense>
    </div>
  );
});

/** When the help is shown: "hover", "focus", both, or always. */
function helpMoments(settings: JsonObject, context: FieldContext): string | undefined {
  const { helpOnHover = context.helpOnHover, helpOnFocus = context.helpOnFocus } = settings;
  return [helpOnHover === true && "hover", helpOnFocus === true && "focus"].filter(Boolean).join(" ") || undefined;
}

/** While a large editor is loaded. */
function FieldLoading({ label }: { label: string }) {
  return (
    <div aria-busy="true">
      <p className={css.loading}>{label}</p>
      <Skeleton height="6rem" />
    </div>
  );
}
