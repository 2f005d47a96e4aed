// Several of a few, all in view.

import { lazy } from "react";
import { type FieldKind, plainText } from "#fields/field-kind.ts";
import { labelIn } from "#fields/options.ts";
import { formatList } from "#words/format.ts";
import { isListOfTexts, isNoList, listOf } from "./lists.ts";
import { ReadChosen } from "./read-chosen.ts";

const Input = lazy(() => import("./choice-inputs.tsx").then((part) => ({ default: part.ChecklistInput })));

export const checklistField: FieldKind = {
  kinds: ["multicheckbox", "checklist"],
  Input,
  Read: ReadChosen,
  text: (value, property) => formatList(listOf(value).map((one) => labelIn(property, plainText(one)))),
  isEmpty: isNoList,
  accepts: isListOfTexts,
};
