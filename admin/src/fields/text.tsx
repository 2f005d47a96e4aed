// One line of text; addresses and phone numbers are such lines. With suggestions it is a combobox that takes any text.

import { ExternalLink } from "lucide-react";
import { Icon } from "#ui/Icon.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput, type TextInputProps } from "#ui/TextInput.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { useFieldOptions } from "./options.ts";
import css from "./text.module.css";

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
      after={property.kind === "url" && <OpenLink label={property.label} address={text} />}
    />
  );
}

/** Suggestions are the browser's own list: it leaves the rest of the page as it is. */
function Suggesting(props: FieldInputProps) {
  const { id, property, value, onChange, context } = props;
  const text = plainText(value);
  const { options, onSearch } = useFieldOptions(property, context, text);
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

function OpenLink({ label, address }: { label: string; address: string }) {
  const words = useWords(fieldWords);
  if (!/^https?:\/\/\S+$/i.test(address)) return null;
  const name = words.openAddress(label);
  return (
    <a className={css.open} href={address} target="_blank" rel="noreferrer" data-tip={name}>
      <Icon of={ExternalLink} />
      <VisuallyHidden>{name}</VisuallyHidden>
    </a>
  );
}

export const textField: FieldKind = {
  kinds: ["text", "email", "url", "phone"],
  Input,
  text: plainText,
  isEmpty: isNothing,
  accepts: isScalar,
};
