// The code of a drawing beside its picture. Files are read here and become text of the form.

import { FileUp } from "lucide-react";
import { useDeferredValue, useRef, useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { type FieldInputProps, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { numberOf } from "#fields/property.ts";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/toast.ts";
import { codeWords } from "#words/code.ts";
import { useWords } from "#words/language.ts";
import css from "./code.module.css";
import { drawingAddress, hasDrawing } from "./svg-text.ts";

export function SvgInput(props: FieldInputProps) {
  const { property, value, onChange, isDisabled } = props;
  const words = useWords(codeWords);
  const text = plainText(value);
  const chooser = useRef<HTMLInputElement>(null);
  const take = async ([file]: File[]) => {
    if (!file) return;
    const read = await file.text();
    if (hasDrawing(read)) onChange(read);
    else toast.bad(words.svgNoFile(file.name));
  };
  return (
    <div className={css.drawing}>
      <CodeEditor
        {...frameProps(props)}
        value={text}
        onChange={onChange}
        language="xml"
        placeholder={property.definition.placeholder || words.svgPlaceholder}
        rows={numberOf(property.settings.rows)}
        maxHeight="40vh"
        onFiles={(files) => void take(files)}
        actions={
          <>
            <Button variant="quiet" icon={FileUp} isDisabled={isDisabled} onPress={() => chooser.current?.click()}>
              {words.svgChoose(property.label)}
            </Button>
            <input
              ref={chooser}
              type="file"
              accept=".svg,image/svg+xml"
              hidden
              onChange={({ target }) => {
                void take([...(target.files ?? [])]);
                target.value = "";
              }}
            />
          </>
        }
      />
      <Preview label={property.label} text={text} />
    </div>
  );
}

function Preview({ label, text }: { label: string; text: string }) {
  const words = useWords(codeWords);
  const shown = useDeferredValue(text);
  const [broken, setBroken] = useState("");
  if (!hasDrawing(shown)) return null;
  const isBroken = broken === shown;
  return (
    <div className={css.preview}>
      {isBroken && <span className={css.none}>{words.svgNotDrawn}</span>}
      <img
        className={css.picture}
        src={drawingAddress(shown)}
        alt={words.svgPreview(label)}
        hidden={isBroken}
        onError={() => setBroken(shown)}
        onLoad={() => setBroken("")}
      />
    </div>
  );
}
