import { type FieldInputProps, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { numberOf } from "#fields/property.ts";
import { StyledTextInput } from "#fields/styledtext.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { LocalizedFrame, type OneLanguageProps } from "./LocalizedFrame.tsx";

export function LocalizedLine(props: FieldInputProps) {
  return <LocalizedFrame {...props} of={Line} />;
}

export function LocalizedArea(props: FieldInputProps) {
  return <LocalizedFrame {...props} of={Area} />;
}

export function LocalizedStyled(props: FieldInputProps) {
  return <LocalizedFrame {...props} of={StyledTextInput} />;
}

function Line(props: OneLanguageProps) {
  const { value, onChange, property, lang, dir } = props;
  const text = plainText(value);
  // A line would drop the breaks of a text that has some.
  if (text.includes("\n")) return <Area {...props} />;
  return (
    <TextInput
      {...frameProps(props)}
      isLabelHidden
      value={text}
      onChange={onChange}
      placeholder={property.definition.placeholder}
      autoComplete="off"
      {...{ lang, dir }}
    />
  );
}

function Area(props: OneLanguageProps) {
  const { value, onChange, property, lang, dir } = props;
  return (
    <TextArea
      {...frameProps(props)}
      isLabelHidden
      value={plainText(value)}
      onChange={onChange}
      placeholder={property.definition.placeholder}
      rows={numberOf(property.settings.rows) ?? 4}
      {...{ lang, dir }}
    />
  );
}
