// Several values: of options, of other objects, or free texts.

import type { Json } from "@contract/json.ts";
import { lazy } from "react";
import { type FieldKind, plainText } from "#fields/field-kind.ts";
import { labelIn } from "#fields/options.ts";
import { formatList } from "#words/format.ts";
import { isListOfTexts, isNoList, listOf } from "./lists.ts";
import { ReadChosen } from "./read-chosen.ts";

const Input = lazy(() => import("./several-input.tsx").then((part) => ({ default: part.SeveralInput })));

export const severalField: FieldKind = {
  kinds: ["list", "multiselect"],
  Input,
  Read: ReadChosen,
  text: (value, property) => formatList(listOf(value).map((one: Json) => labelIn(property, plainText(one)))),
  isEmpty: isNoList,
  accepts: isListOfTexts,
};
