// One line of text; addresses and phone numbers are such lines. With suggestions it is a combobox that takes any text.

import { ExternalLink } from "lucide-react";
import { Icon } from "#ui/Icon.tsx";
import { Select } from "#ui/Select.tsx";
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

function Suggesting(props: FieldInputProps) {
  const { property, value, onChange, context } = props;
  const { options, isLoading, onSearch } = useFieldOptions(property, context, plainText(value));
  return (
    <Select
      {...frameProps(props)}
      options={options}
      isLoading={isLoading}
      onSearch={onSearch}
      value={plainText(value)}
      onChange={onChange}
      placeholder={property.definition.placeholder ?? ""}
      allowsCustomValue
    />
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
