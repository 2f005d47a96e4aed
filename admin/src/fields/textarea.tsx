// Several lines of text.

import { TextArea } from "#ui/TextArea.tsx";
import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { numberOf } from "./property.ts";

function Input(props: FieldInputProps) {
  const { property, value, onChange } = props;
  return (
    <TextArea
      {...frameProps(props)}
      value={plainText(value)}
      onChange={onChange}
      placeholder={property.definition.placeholder}
      rows={numberOf(property.settings.rows) ?? 4}
    />
  );
}

export const textareaField: FieldKind = {
  kinds: ["textarea"],
  Input,
  text: plainText,
  isEmpty: isNothing,
  accepts: isScalar,
};
