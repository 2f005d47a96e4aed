// The element of a field kind in a form. The admin keeps label, help, error and undo; the element has the value alone.

import { useEffect, useMemo, useState } from "react";
import { noteInvalid } from "#elements/busy.ts";
import { ElementHost } from "#elements/ElementHost.tsx";
import { extensionOf, useExtensionField, usePart } from "#elements/kinds.ts";
import type { FieldInputProps, FieldKind, FieldReadProps, FieldValue } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { describedBy, FieldFrame, frameOf, labelId } from "#ui/FieldFrame.tsx";
import { elementWords } from "#words/elements.ts";
import { currentLanguage, useWords } from "#words/language.ts";
import css from "./extension.module.css";

interface Props extends FieldInputProps {
  baseOf: (type: string, value: FieldValue) => [FieldKind, name: string];
}

export function ExtensionInput({ baseOf, ...props }: Props) {
  const { property, value } = props;
  const words = useWords(elementWords);
  const found = useExtensionField(property.kind);
  const part = usePart(found, "element");
  // By address: another version gets another chance.
  const [failed, setFailed] = useState("");
  if (part && failed !== part.address) return <Drawn {...props} part={part} onFailed={() => setFailed(part.address)} />;
  const name = found?.extensionName ?? extensionOf(property.kind);
  const line = failed !== "" ? words.fieldFailed(name) : found ? words.fieldPlain(name) : words.fieldGone(name);
  const [{ Input: Base }, kind] = baseOf(found?.type ?? property.type, value);
  return (
    <Base
      {...props}
      property={{ ...property, kind, definition: { ...property.definition, field: kind } }}
      description={
        <>
          {props.description}
          <span className={css.line}>{line}</span>
        </>
      }
    />
  );
}

interface DrawnProps extends FieldInputProps {
  part: NonNullable<ReturnType<typeof usePart>>;
  onFailed: () => void;
}

function Drawn({ part, onFailed, ...props }: DrawnProps) {
  const { id, path, value, onChange, context } = props;
  const { form } = context;
  const [invalid, setInvalid] = useState("");
  const frame = frameProps(props);
  const error = frame.error ?? (invalid || undefined);
  const field = useFieldFacts(props, error);
  useEffect(() => () => noteInvalid(form, path, ""), [form, path]);
  const refuse = (message: string) => {
    setInvalid(message);
    noteInvalid(form, path, message);
  };
  return (
    <FieldFrame {...frameOf({ ...frame, error })} htmlFor={id} isGroup>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears that the field was left, and does nothing else */}
      <div onBlur={props.onBlur}>
        <ElementHost
          part={part}
          properties={{ value, field }}
          labelledBy={labelId(id)}
          describedBy={describedBy(id, { help: frame.description, error })}
          onChange={(next) => {
            refuse("");
            onChange(next as FieldValue);
          }}
          onInvalid={refuse}
          onFailed={() => {
            refuse("");
            onFailed();
          }}
        />
      </div>
    </FieldFrame>
  );
}

/** What the element learns of its field. */
function useFieldFacts({ path, property, context, isDisabled }: FieldInputProps, error: string | undefined) {
  const { name, label, definition, isRequired, settings } = property;
  const help = typeof definition.help === "string" ? definition.help : "";
  const { collection, object } = context;
  return useMemo(
    () => ({
      ...{ name, path, label, help, required: isRequired, readOnly: isDisabled, error: error ?? null, settings },
      ...{ locale: currentLanguage(), collection, objectId: object ?? null },
    }),
    [name, path, label, help, isRequired, isDisabled, error, settings, collection, object],
  );
}

/** Read-only: the cell of the kind, else the value's text. */
export function ExtensionRead({ textOf, property, value, context }: FieldReadProps & { textOf: FieldKind["text"] }) {
  const found = useExtensionField(property.kind);
  const part = usePart(found, "cell");
  const [failed, setFailed] = useState("");
  if (!part || failed === part.address) return <>{textOf(value, property, context)}</>;
  return (
    <ElementHost
      part={part}
      properties={{ value, row: null }}
      label={property.label}
      onFailed={() => setFailed(part.address)}
    />
  );
}
