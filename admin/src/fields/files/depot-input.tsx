// A depot in a form. What is done in it is stored at once: the form takes over the answers.

import { useCallback } from "react";
import type { FieldInputProps, FieldReadProps } from "#fields/field-kind.ts";
import { Depot } from "#files/depot/Depot.tsx";
import { readFolders } from "#files/depot/tree.ts";
import type { StoredObject } from "#files/file-calls.ts";
import type { Merge } from "#files/queue.ts";
import { acceptOf } from "#files/taking/accept.ts";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import { useTaking } from "./use-taking.ts";

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

function DepotOf(props: FieldReadProps & { isReadOnly: boolean }) {
  const { path, property, value, context, isReadOnly } = props;
  const { collection, object, takeOver } = context;
  const { label, name, settings } = property;
  const { count } = readFolders(value, label);
  const { take, uploads, rules } = useTaking(props, { takes: "files", merge: asStored, count });
  const onStored = useCallback((stored: StoredObject) => takeOver(name, stored), [takeOver, name]);
  return (
    <Depot
      key={object}
      label={label}
      value={value}
      collection={collection}
      object={object}
      path={path}
      rules={rules.join(", ")}
      accept={acceptOf(settings)}
      uploads={uploads}
      onUpload={take}
      isReadOnly={isReadOnly}
      onStored={onStored}
    />
  );
}

/** A depot has no changes of its own in the form. */
const asStored: Merge = ({ stored }) => stored;
