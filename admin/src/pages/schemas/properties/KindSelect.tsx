// The field kind, in groups, each with a line of help.

import type { BaseType } from "@contract/extensions.ts";
import { extensionOf, isExtensionKind } from "#elements/kinds.ts";
import { useStart } from "#session/start.ts";
import { Select } from "#ui/Select.tsx";
import { useWords } from "#words/language.ts";
import type { KindGroup } from "#words/schema-kinds.ts";
import { schemasWords } from "#words/schemas.ts";
import { kindGroups, kindLabel } from "./kinds.ts";

interface Props {
  value: string;
  /** `base`: the type of a kind of an extension. */
  onChange: (kind: string, base?: BaseType) => void;
  error?: string | undefined;
  autoFocus?: boolean;
}

export function KindSelect({ value, onChange, error, autoFocus = false }: Props) {
  const words = useWords(schemasWords);
  const { fields } = useStart().extensions;
  const own = (Object.keys(kindGroups) as KindGroup[]).flatMap((group) =>
    kindGroups[group].map((kind) => ({
      value: kind,
      label: kindLabel(kind),
      help: words.kindHelp[kind],
      group: words.kindGroups[group],
    })),
  );
  const brought = fields.map(({ field, title, extension, extensionName }) => ({
    value: field,
    label: title,
    help: words.kindOfExtension(extension),
    group: extensionName,
  }));
  const isKnown = [...own, ...brought].some((option) => option.value === value);
  // Its extension is not on: the kind stays what it is.
  const other = { value, label: value, help: words.kindOfExtension(extensionOf(value)), group: extensionOf(value) };
  const options = [...own, ...brought, ...(!isKnown && isExtensionKind(value) ? [other] : [])];
  return (
    <Select
      label={words.fieldKind}
      options={options}
      value={value}
      onChange={(kind) => onChange(kind, fields.find(({ field }) => field === kind)?.type)}
      error={error}
      autoFocus={autoFocus}
      isRequired
    />
  );
}
