// A card: an object inside of the object, as a group of fields with a layout of its own.

import { isJsonObject } from "@contract/json.ts";
import {
  type FieldInputProps,
  type FieldKind,
  type FieldReadProps,
  type FieldValue,
  isNothing,
} from "#fields/field-kind.ts";
import { itemSchemaOf } from "#fields/items.ts";
import { otherField } from "#fields/other.tsx";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import css from "./deck.module.css";

function Input(props: FieldInputProps) {
  const { id, path, property, description, errors, extra, isDisabled, context } = props;
  const schema = itemSchemaOf(property, context.items);
  if (!schema || !context.inner) return <otherField.Input {...props} />;
  // Errors of its fields stand at the fields.
  const error = errors.get("");
  return (
    <FieldFrame
      label={property.label}
      htmlFor={id}
      help={description}
      error={error}
      isRequired={property.isRequired}
      extra={extra}
      isGroup
    >
      <fieldset
        id={id}
        aria-labelledby={labelId(id)}
        aria-describedby={describedBy(id, { help: description, error })}
        className={css.card}
        disabled={isDisabled}
      >
        <context.inner.Fields itemSchema={schema.id} path={path} />
      </fieldset>
    </FieldFrame>
  );
}

function Read({ path, property, value, context }: FieldReadProps) {
  const schema = itemSchemaOf(property, context.items);
  if (!schema || !context.inner) return <span>{text(value)}</span>;
  return (
    <div className={css.card}>
      <context.inner.Fields itemSchema={schema.id} path={path} />
    </div>
  );
}

function text(value: FieldValue): string {
  if (!isJsonObject(value)) return "";
  const lines = Object.entries(value).filter(([, inner]) => !isNothing(inner));
  return lines
    .map(([name, inner]) => `${name}: ${typeof inner === "object" ? JSON.stringify(inner) : inner}`)
    .join("\n");
}

export const cardField: FieldKind = {
  kinds: ["card"],
  Input,
  Read,
  text,
  isEmpty: (value) => isNothing(value) || text(value) === "",
  accepts: (value) => isNothing(value) || isJsonObject(value),
};
