// The id: typed, or made by the server, while the object is new; afterwards it is text.

import { CopyButton } from "#ui/CopyButton.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps, ReadOnlyField } from "./frame.tsx";

function Input(props: FieldInputProps) {
  const { property, value, onChange, context, error } = props;
  const words = useWords(fieldWords);
  const text = plainText(value);
  if (!context.isNew) {
    const copy = <CopyButton text={text} label={words.copy} copiedLabel={words.copied} isIconOnly variant="quiet" />;
    return <ReadOnlyField property={property} text={text} error={error} action={copy} />;
  }
  return (
    <TextInput
      {...frameProps(props)}
      // The server makes one, so it need not be typed.
      isRequired={false}
      value={text}
      onChange={onChange}
      placeholder={context.idSource === "" ? words.madeWhenSaved : words.madeFrom(context.idSource)}
      autoComplete="off"
      spellCheck={false}
      isMono
    />
  );
}

export const idField: FieldKind = {
  kinds: ["id"],
  Input,
  text: plainText,
  isEmpty: isNothing,
  accepts: isScalar,
};
