// The fields of one item in a dialog. What is typed is the dialog's own until Apply, but kept on the device with the form; errors
// that the form has for the item stand at its fields from the beginning.

import type { JsonObject } from "@contract/json.ts";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ItemDialogProps } from "#fields/field-kind.ts";
import { useReveal } from "#fields/reveal.ts";
import { useStoredUploads } from "#files/upload-hub.ts";
import { FormLayout } from "#form/FormLayout.tsx";
import { focusField } from "#form/focus-field.ts";
import { type FormScope, FormScopeContext, useFormScope, useSummary } from "#form/form-context.ts";
import { joinStored } from "#form/join-stored.ts";
import { problemText } from "#form/problem-text.ts";
import { innerProperties, placeOf, type Shape } from "#form/shape.ts";
import { createFormStore, type FormStore } from "#form/store.ts";
import { validateAll, validateProperty } from "#form/validate.ts";
import { pathIn, valueAt } from "#form/values.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { commonWords } from "#words/common.ts";
import { fieldWords } from "#words/fields.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./ItemDialog.module.css";

export function ItemDialog(props: ItemDialogProps) {
  const { itemSchema, path, title, value, isNew, at, size = "medium", onApply, onClose, onPrevious, onNext } = props;
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const ofFields = useWords(fieldWords);
  const outer = useFormScope();
  const shape = useMemo<Shape>(() => {
    const schema = outer.field.items[itemSchema] ?? { id: itemSchema, properties: {}, required: [], index: [] };
    return { schema, items: outer.field.items, isNew };
  }, [outer.field.items, itemSchema, isNew]);
  const properties = useMemo(() => innerProperties(shape.schema, isNew), [shape, isNew]);

  const [store] = useState(() => {
    const made = createFormStore(value, (inner, values) => {
      const place = placeOf(shape, inner);
      const beside = place && valueAt(values, place.parent);
      const problem = place && validateProperty(place.property, beside as JsonObject, shape);
      return problem && problemText(ofFields, problem, place.property.label);
    });
    const found = outer.store.errorsIn(storePath(outer, path));
    made.setErrors(new Map([...found].filter(([inner]) => inner !== "")));
    return made;
  });
  // What the server stores by itself meanwhile, as with an upload, comes by the form around.
  useEffect(() => {
    if (value !== store.base()) store.rebase(value);
  }, [store, value]);
  const { dirty } = useSummary(store);
  const isDirty = dirty.length > 0;
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isDirty]);
  const outerStore = outer.store;
  const draftAt = storePath(outer, path);
  useEffect(() => {
    const draft = () => outerStore.setDraft(draftAt, isDraft(store) ? store.valuesWithDrafts() : undefined);
    const end = store.subscribeValues(draft);
    return () => {
      end();
      outerStore.setDraft(draftAt, undefined);
    };
  }, [store, outerStore, draftAt]);
  const go = useCallback((inner: string) => focusField(pathIn(path, inner)), [path]);
  useReveal(path, go);
  const firstAt = useRef(at ?? store.summary().errors.keys().next().value);
  useEffect(() => {
    if (firstAt.current !== undefined) go(firstAt.current);
    else focusFirst(path, properties[0]?.name);
  }, [go, path, properties]);

  /** Answers whether it could be applied. */
  const apply = (): boolean => {
    const problems = validateAll(properties, store.values(), shape);
    const labelOf = (inner: string) => placeOf(shape, inner)?.property.label ?? inner;
    store.setErrors(
      new Map([...problems].map(([inner, problem]) => [inner, problemText(ofFields, problem, labelOf(inner))])),
    );
    const [first] = problems.keys();
    if (first !== undefined) {
      go(first);
      return false;
    }
    if (isDirty || isNew) onApply(store.values());
    return true;
  };
  const applyAndClose = () => void (apply() && onClose());
  const step = (then: () => void) => apply() && then();
  useShortcut("mod+s", words.apply, applyAndClose);
  useShortcut("mod+Enter", words.apply, applyAndClose);

  // What was changed here and what the server has stored there are joined: Apply would take the file out again.
  useStoredUploads(outer.field.collection, outer.field.object, ({ target, request, stored }) => {
    const own = valueAt(stored.data, path);
    if (!target.path.startsWith(`${path}.`) || own === undefined) return;
    joinStored(store, own as JsonObject, { path: target.path.slice(path.length + 1), merge: request.merge })?.();
  });

  const scope = useMemo<FormScope>(() => {
    const isStored = (place: string) => !isNew && outer.field.isStored(place);
    return { store, root: path, isReadOnly: outer.isReadOnly, field: { ...outer.field, isNew, isStored } };
  }, [outer, store, path, isNew]);

  return (
    <FormScopeContext value={scope}>
      <Dialog
        title={title}
        size={size}
        isDirty={isDirty}
        onClose={onClose}
        onSubmit={applyAndClose}
        extra={
          (onPrevious || onNext) && (
            <span className={css.steps}>
              <IconButton
                label={words.previousItem}
                icon={ChevronLeft}
                isDisabled={!onPrevious}
                onPress={() => onPrevious && step(onPrevious)}
              />
              <IconButton
                label={words.nextItem}
                icon={ChevronRight}
                isDisabled={!onNext}
                onPress={() => onNext && step(onNext)}
              />
            </span>
          )
        }
        footer={(close) => (
          <>
            <Button onPress={close}>{common.cancel}</Button>
            <Button type="submit" variant="primary">
              {words.apply}
            </Button>
          </>
        )}
      >
        <FormLayout properties={properties} formgrid={shape.schema.formgrid} />
      </Dialog>
    </FormScopeContext>
  );
}

/** Something of it is not applied, here or in a dialog above. */
function isDraft(store: FormStore): boolean {
  return Object.keys(store.changesWithDrafts()).length > 0;
}

/** Where a place of the object lies in the store of a form. */
function storePath({ root = "" }: FormScope, path: string): string {
  return root === "" ? path : path.slice(root.length + 1);
}

function focusFirst(path: string, name: string | undefined): void {
  if (name !== undefined) focusField(pathIn(path, name));
}
