// Rich text, stored as HTML. The editor is loaded when it is first shown; what is only read needs none of it.

import { lazy } from "react";
import { type FieldInputProps, type FieldKind, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { isEmptyHtml, wordsOfHtml } from "./html-text.ts";

const RichText = lazy(async () => ({ default: (await import("#editor/richtext/RichText.tsx")).RichText }));

const StyledTextRead = lazy(async () => ({ default: (await import("./StyledTextRead.tsx")).StyledTextRead }));

/** Also of one language of a localized text: it takes the label, and text. */
export function StyledTextInput(props: FieldInputProps & { lang?: string; dir?: string }) {
  const { property, value, onChange, lang, dir, path, context } = props;
  return (
    <RichText
      {...frameProps(props)}
      lang={lang}
      dir={dir}
      value={plainText(value)}
      onChange={onChange}
      placeholder={property.definition.placeholder}
      settings={property.settings}
      target={{ collection: context.collection, object: context.object, property: topOf(path) }}
    />
  );
}

/** Files of a text belong to the property of the object that it lies in. */
function topOf(path: string): string {
  return path.split(".", 1)[0] as string;
}

export const styledtextField: FieldKind = {
  kinds: ["styledtext"],
  Input: StyledTextInput,
  Read: StyledTextRead,
  text: (value) => wordsOfHtml(plainText(value)),
  isEmpty: isEmptyHtml,
  accepts: isScalar,
};
