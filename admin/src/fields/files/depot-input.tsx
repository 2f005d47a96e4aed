// A depot in a form. What is done in it is stored at once: the form takes over the answers.

import { useCallback } from "react";
import type { FieldInputProps, FieldReadProps } from "#fields/field-kind.ts";
import { Depot } from "#files/depot/Depot.tsx";
import { readFolders } from "#files/depot/tree.ts";
import type { StoredObject } from "#files/file-calls.ts";
import { readRules } from "#files/file-rules.ts";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";

export function DepotInput(props: FieldInputProps) {
  const { id, property, value, description, error, isDisabled } = props;
  const words = useWords(depotWords);
  const { label, isRequired } = property;
  const { count, size } = readFolders(value, label);
  return (
    <FieldFrame
      label={label}
      htmlFor={id}
      isGroup
      help={description}
      error={error}
      isRequired={isRequired}
      extra={words.summary(count, size)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: the label stands outside, as with every field */}
      <div
        id={id}
        role="group"
        aria-labelledby={labelId(id)}
        aria-describedby={describedBy(id, { help: description, error })}
      >
        <DepotOf {...props} isReadOnly={isDisabled} />
      </div>
    </FieldFrame>
  );
}

export function DepotRead(props: FieldReadProps) {
  return <DepotOf {...props} isReadOnly />;
}

function DepotOf({ path, property, value, context, isReadOnly }: FieldReadProps & { isReadOnly: boolean }) {
  const { collection, object, form, takeOver } = context;
  const onStored = useCallback((stored: StoredObject) => takeOver(property.name, stored), [takeOver, property.name]);
  return (
    <Depot
      key={object}
      label={property.label}
      value={value}
      target={{ collection, object, path, form }}
      rules={readRules(property.settings)}
      isReadOnly={isReadOnly}
      onStored={onStored}
    />
  );
}
