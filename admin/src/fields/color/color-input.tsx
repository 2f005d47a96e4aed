import { readColor } from "@rules/color.ts";
import { Palette } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { FieldInputProps, FieldValue } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { fixedOptions } from "#fields/options.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Popover } from "#ui/Popover.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import css from "./color.module.css";
import { colorOf, colorText } from "./color-text.ts";
import { Swatch } from "./Swatch.tsx";

const ColorPanel = lazy(() => import("./ColorPanel.tsx").then((part) => ({ default: part.ColorPanel })));

/** A text that is no colour stays, so that nothing typed is lost. */
function read(text: string): FieldValue {
  return text.trim() === "" ? undefined : (readColor(text) ?? text);
}

export function ColorInput(props: FieldInputProps) {
  const { property, value, onChange, onBlur, isDisabled } = props;
  const words = useWords(fieldWords);
  const [typed, setTyped] = useState(() => colorText(value));
  // "#FFF" and "white" as rgb() are one colour: the typed text stays until the value is another.
  const text = colorText(read(typed)) === colorText(value) ? typed : colorText(value);
  const color = colorOf(value);
  return (
    <TextInput
      {...frameProps(props)}
      value={text}
      onChange={(next) => {
        setTyped(next);
        onChange(read(next));
      }}
      placeholder={property.definition.placeholder ?? words.notSet}
      autoComplete="off"
      spellCheck={false}
      isMono
      before={<Swatch color={color?.hex} />}
      after={
        <Popover
          title={words.chooseOne(property.label)}
          placement="bottom end"
          onOpenChange={(isOpen) => isOpen || onBlur()}
          button={<IconButton label={words.chooseOne(property.label)} icon={Palette} isSmall isDisabled={isDisabled} />}
        >
          <div className={css.panel}>
            <Suspense fallback={<Skeleton height="18rem" />}>
              <ColorPanel value={color} onChange={onChange} swatches={fixedOptions(property)} />
            </Suspense>
          </div>
        </Popover>
      }
    />
  );
}
