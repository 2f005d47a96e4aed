// A text in several languages, one tab each. What edits one language is given: a line, an area, a rich text.

import { isJsonObject, type JsonObject } from "@contract/json.ts";
import { type ComponentType, useRef, useState } from "react";
import { type FieldInputProps, type FieldValue, isNothing } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { useReveal } from "#fields/reveal.ts";
import { FieldFrame, frameOf } from "#ui/FieldFrame.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { directionOf, localesOf, nameOf, tagOf, useLocale } from "./locales.ts";

export interface OneLanguageProps extends FieldInputProps {
  lang: string;
  dir: "ltr" | "rtl";
}

interface Props extends FieldInputProps {
  /** Edits the text of one language; its label names the language. */
  of: ComponentType<OneLanguageProps>;
}

export function LocalizedFrame({ of: Inner, ...props }: Props) {
  const { id, path, property, value, onChange, context, error, errors } = props;
  const words = useWords(fieldWords);
  const texts: JsonObject = isJsonObject(value) ? value : {};
  const locales = localesOf(context.locales, value);
  const [locale, setLocale] = useLocale(locales, property.settings.localeSync !== false);
  const [wasNothing] = useState(() => isNothing(value));
  const frame = useRef<HTMLDivElement>(null);
  useReveal(path, (rest) => {
    const [wanted = ""] = rest.split(".");
    if (!locales.includes(wanted)) return false;
    setLocale(wanted);
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>("input, textarea, [contenteditable]")?.focus(),
    );
    return true;
  });
  const change = (next: FieldValue) => {
    const { [locale]: _, ...others } = texts;
    const all = isNothing(next) ? others : { ...texts, [locale]: next as string };
    onChange(Object.keys(all).length === 0 && wasNothing ? undefined : all);
  };
  const name = nameOf(locale);
  const own = errors.get(locale) ?? errors.get("");
  // Help stands at the control that it describes.
  const outer = frameOf({ ...frameProps(props), description: undefined });
  return (
    <FieldFrame {...outer} error={own ? undefined : error} htmlFor={id} isGroup>
      <div ref={frame}>
        <Tabs
          label={words.languages(property.label)}
          isSmall
          tabs={locales.map((one) => ({
            id: one,
            label: nameOf(one),
            lang: tagOf(one),
            mark: errors.has(one) ? "wrong" : isNothing(texts[one]) ? undefined : "filled",
            markText: errors.has(one) ? words.hasError : isNothing(texts[one]) ? undefined : words.filled,
          }))}
          selected={locale}
          onSelect={setLocale}
        >
          <Inner
            // Each language has a control of its own, with its own selection and undo.
            key={locale}
            {...props}
            id={`${id}-${locale}`}
            path={`${path}.${locale}`}
            property={{ ...property, label: words.inLanguage(property.label, name), isRequired: false }}
            value={texts[locale]}
            onChange={change}
            error={own}
            extra={undefined}
            lang={tagOf(locale)}
            dir={directionOf(locale)}
          />
        </Tabs>
      </div>
    </FieldFrame>
  );
}
