// A drawing: its code, and how it looks. It is shown as a picture, so nothing in it runs.

import { lazy } from "react";
import { loadCodeEditor } from "#editor/code/code-editor.ts";
import { type FieldKind, type FieldReadProps, isNothing, isScalar, plainText } from "#fields/field-kind.ts";
import css from "./code.module.css";
import { drawingAddress } from "./svg-text.ts";

const Input = lazy(async () => {
  void loadCodeEditor();
  return { default: (await import("./svg-input.tsx")).SvgInput };
});

function Read({ property, value }: FieldReadProps) {
  const address = drawingAddress(plainText(value));
  return (
    <span className={css.preview}>
      <img className={css.picture} src={address} alt={property.label} />
    </span>
  );
}

export const svgField: FieldKind = {
  kinds: ["svg"],
  Input,
  Read,
  text: plainText,
  isEmpty: isNothing,
  accepts: isScalar,
};
