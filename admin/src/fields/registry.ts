// Every field kind by its name in schemas. A name that is not here is shown as text and not edited.

import { isExtensionKind } from "#elements/kinds.ts";
import { checkboxField } from "./checkbox.tsx";
import { checklistField } from "./choices/checklist.tsx";
import { radioField } from "./choices/radio.tsx";
import { severalField } from "./choices/several.tsx";
import { codeField } from "./code/code.tsx";
import { jsonField } from "./code/json.tsx";
import { svgField } from "./code/svg.tsx";
import { colorField } from "./color/color.tsx";
import { dateField } from "./date.tsx";
import { datetimeField } from "./datetime.tsx";
import { cardField } from "./deck/card.tsx";
import { deckField, deckTableField } from "./deck/deck.tsx";
import { extensionField } from "./extension/extension.tsx";
import type { FieldKind, FieldValue } from "./field-kind.ts";
import { depotField } from "./files/depot.tsx";
import { fileField } from "./files/file.tsx";
import { galleryField } from "./files/gallery.tsx";
import { imageField } from "./files/image.tsx";
import { idField } from "./id.tsx";
import { localizedAreaField, localizedStyledField, localizedTextField } from "./localized/localized.tsx";
import { numberField } from "./number.tsx";
import { priceField } from "./numbers/price.tsx";
import { rangeField } from "./numbers/range.tsx";
import { ratingField } from "./numbers/rating.tsx";
import { timeField } from "./numbers/time.tsx";
import { otherField } from "./other.tsx";
import type { FieldProperty } from "./property.ts";
import { passwordField } from "./secrets/password.tsx";
import { secretField } from "./secrets/secret.tsx";
import { selectField } from "./select.tsx";
import { styledtextField } from "./styledtext.tsx";
import { textField } from "./text.tsx";
import { textareaField } from "./textarea.tsx";

const known = [
  textField,
  textareaField,
  styledtextField,
  numberField,
  checkboxField,
  selectField,
  dateField,
  datetimeField,
  idField,
  codeField,
  jsonField,
  svgField,
  priceField,
  rangeField,
  ratingField,
  timeField,
  radioField,
  checklistField,
  severalField,
  colorField,
  localizedTextField,
  localizedAreaField,
  localizedStyledField,
  passwordField,
  secretField,
  imageField,
  galleryField,
  cardField,
  deckField,
  deckTableField,
  fileField,
  depotField,
] as const;

const byName: ReadonlyMap<string, FieldKind> = new Map(known.flatMap((kind) => kind.kinds.map((name) => [name, kind])));

/** The kind that edits the property; of a value that it could not edit without loss, the one that only shows it. */
export function fieldKindOf({ kind }: Pick<FieldProperty, "kind">, value?: FieldValue): FieldKind {
  const found = byName.get(kind) ?? (isExtensionKind(kind) ? extensionField : otherField);
  return found.accepts?.(value) === false ? otherField : found;
}
