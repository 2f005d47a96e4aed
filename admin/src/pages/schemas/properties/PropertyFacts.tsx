// A property as text, for those who may only read it.

import type { PropertyDefinition } from "@contract/schemas.ts";
import { lazy, Suspense, useState } from "react";
import { Skeleton } from "#ui/Skeleton.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { Disclosure } from "./Disclosure.tsx";
import { kindOf } from "./edit.ts";
import { kindLabel } from "./kinds.ts";
import css from "./properties.module.css";

const DefinitionJson = lazy(() => import("./DefinitionJson.tsx").then((part) => ({ default: part.DefinitionJson })));

interface Props {
  name: string;
  definition: PropertyDefinition;
  isRequired: boolean;
  isIndexed: boolean;
}

export function PropertyFacts({ name, definition, isRequired, isIndexed }: Props) {
  const words = useWords(schemasWords);
  const common = useWords(commonWords);
  const [isOpen, setIsOpen] = useState(false);
  const yes = (is: boolean) => (is ? common.yes : common.no);
  const facts = [
    [words.fieldKind, kindLabel(kindOf(name, definition))],
    [words.name, name],
    [words.label, definition.label ?? ""],
    [words.help, definition.help ?? ""],
    [words.required, yes(isRequired)],
    [words.indexed, yes(isIndexed)],
    [words.unique, yes(definition.unique === true)],
  ].filter(([, text]) => text !== "");
  return (
    <>
      <dl className={css.facts}>
        {facts.map(([label, text]) => (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Disclosure label={words.jsonPart} isOpen={isOpen} onToggle={setIsOpen}>
        <Suspense fallback={<Skeleton height="8rem" />}>
          <DefinitionJson name={name} definition={definition} isReadOnly />
        </Suspense>
      </Disclosure>
    </>
  );
}
