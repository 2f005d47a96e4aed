// One line of text; addresses and phone numbers are such lines. With suggestions it is a combobox that takes any text.

import { TextArea } from "#ui/TextArea.tsx";
import { TextInput, type TextInputProps } from "#ui/TextInput.tsx";
import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { OpenLink } from "./OpenLink.tsx";
import { useFieldOptions } from "./options.ts";

const types: Record<string, TextInputProps["type"]> = { email: "email", url: "url", phone: "tel" };

function Input(props: FieldInputProps) {
  const { property, value, onChange } = props;
  const text = plainText(value);
  const { placeholder } = property.definition;
  if (property.settings.propertyOptions) return <Suggesting {...props} />;
  // A line would drop the breaks of a text that has some.
  if (text.includes("\n"))
    return <TextArea {...frameProps(props)} value={text} onChange={onChange} placeholder={placeholder} rows={2} />;
  return (
    <TextInput
      {...frameProps(props)}
      type={types[property.kind] ?? "text"}
      value={text}
      onChange={onChange}
      placeholder={placeholder}
      autoComplete="off"
      after={
        property.kind === "url" && /^https?:\/\/\S+$/i.test(text) && <OpenLink name={property.label} href={text} />
      }
    />
  );
}

/** Suggestions are the browser's own list: it leaves the rest of the page as it is. */
function Suggesting(props: FieldInputProps) {
  const { id, property, value, onChange, context } = props;
  const text = plainText(value);
  const { options, onSearch } = useFieldOptions(property, context, { chosen: [text] });
  const list = `${id}-suggestions`;
  return (
    <>
      <TextInput
        onFocus={() => onSearch?.(text)}
        {...frameProps(props)}
        list={list}
        value={text}
        onChange={(next) => {
          onChange(next);
          onSearch?.(next);
        }}
        placeholder={property.definition.placeholder}
        autoComplete="off"
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label === option.value ? undefined : option.label}
          </option>
        ))}
      </datalist>
    </>
  );
}

export const textField: FieldKind = {
  kinds: ["text", "email", "url", "phone"],
  Input,
  text: plainText,
  isEmpty: isNothing,
  accepts: isScalar,
};
