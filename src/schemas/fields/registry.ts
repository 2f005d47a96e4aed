// Every kind by its type. Text has several kinds: the field decides its length and whether it is HTML.

import type { PropertyDefinition, PropertyType } from "#contract/schemas.ts";
import { resolveType } from "#rules/property-types.ts";
import type { FieldKind } from "#schemas/types.ts";
import { emailKind, phoneKind, slugKind, timeKind, urlKind } from "./address.ts";
import { booleanKind } from "./boolean.ts";
import { cardKind } from "./card.ts";
import { colorKind } from "./color.ts";
import { dateKind } from "./date.ts";
import { deckKind } from "./deck.ts";
import { depotKind, fileKind, galleryKind, imageKind } from "./files.ts";
import { jsonKind, objectKind } from "./json.ts";
import { arrayKind, listKind } from "./list.ts";
import { localizedKind } from "./localized.ts";
import { integerKind, numberKind } from "./number.ts";
import { passwordKind } from "./password.ts";
import { ratingKind } from "./rating.ts";
import { svgKind } from "./svg.ts";
import { codeKind, htmlKind, lineKind, proseKind } from "./text.ts";

const kinds: Record<PropertyType, FieldKind> = {
  array: arrayKind,
  boolean: booleanKind,
  card: cardKind,
  code: codeKind,
  color: colorKind,
  date: dateKind,
  deck: deckKind,
  depot: depotKind,
  email: emailKind,
  file: fileKind,
  gallery: galleryKind,
  image: imageKind,
  integer: integerKind,
  json: jsonKind,
  list: listKind,
  localizedtext: localizedKind,
  number: numberKind,
  object: objectKind,
  password: passwordKind,
  phone: phoneKind,
  rating: ratingKind,
  slug: slugKind,
  string: lineKind,
  svg: svgKind,
  time: timeKind,
  url: urlKind,
};

export function kindOf(definition: PropertyDefinition): FieldKind {
  const type = resolveType(definition);
  return type === "string" ? textKind(definition) : kinds[type];
}

function textKind({ field, format }: PropertyDefinition): FieldKind {
  if (field === "styledtext" || format === "html") return htmlKind;
  return field === "textarea" ? proseKind : lineKind;
}
