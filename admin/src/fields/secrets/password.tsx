// A password: the server keeps a hash, so it is never shown, only set again. It is not kept on this device.

import { lazy } from "react";
import { type FieldKind, type FieldReadProps, isNothing } from "#fields/field-kind.ts";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";

const Input = lazy(() => import("./password-input.tsx").then((part) => ({ default: part.PasswordControl })));

function Read({ path, context }: FieldReadProps) {
  const words = useWords(fieldWords);
  return <span>{context.passwords.includes(path) ? words.set : words.neverShown}</span>;
}

export const passwordField: FieldKind = {
  kinds: ["password"],
  Input,
  Read,
  text: () => fieldWords.en.neverShown,
  isEmpty: isNothing,
};
