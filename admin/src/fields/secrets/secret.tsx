// A text that is masked until somebody asks to see it: keys and tokens. It is stored as it is.

import {
  type FieldInputProps,
  type FieldKind,
  type FieldReadProps,
  isNothing,
  isScalar,
  plainText,
} from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { Masked } from "./Masked.tsx";

function Input(props: FieldInputProps) {
  const { property, value, onChange } = props;
  const words = useWords(fieldWords);
  return (
    <PasswordInput
      {...frameProps(props)}
      value={plainText(value)}
      onChange={onChange}
      placeholder={property.definition.placeholder}
      // Password managers leave it alone.
      autoComplete="one-time-code"
      showLabel={words.show(property.label)}
      hideLabel={words.hide(property.label)}
      isUnmanaged
      isMono
    />
  );
}

function Read({ property, value }: FieldReadProps) {
  return <Masked label={property.label} text={plainText(value)} />;
}

export const secretField: FieldKind = {
  kinds: ["secret"],
  Input,
  Read,
  text: (value) => (isNothing(value) ? "" : fieldWords.en.masked),
  isEmpty: isNothing,
  accepts: isScalar,
};
