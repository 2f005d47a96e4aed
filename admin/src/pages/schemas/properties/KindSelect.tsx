// The field kind, in groups, each with a line of help.

import { Select } from "#ui/Select.tsx";
import { useWords } from "#words/language.ts";
import type { KindGroup } from "#words/schema-kinds.ts";
import { schemasWords } from "#words/schemas.ts";
import { kindGroups, kindLabel } from "./kinds.ts";

interface Props {
  value: string;
  onChange: (kind: string) => void;
  error?: string | undefined;
  autoFocus?: boolean;
}

export function KindSelect({ value, onChange, error, autoFocus = false }: Props) {
  const words = useWords(schemasWords);
  const options = (Object.keys(kindGroups) as KindGroup[]).flatMap((group) =>
    kindGroups[group].map((kind) => ({
      value: kind,
      label: kindLabel(kind),
      help: words.kindHelp[kind],
      group: words.kindGroups[group],
    })),
  );
  return (
    <Select
      label={words.fieldKind}
      options={options}
      value={value}
      onChange={onChange}
      error={error}
      autoFocus={autoFocus}
      isRequired
    />
  );
}
