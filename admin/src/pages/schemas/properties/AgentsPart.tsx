// What agents see of a property.

import { isJsonObject } from "@contract/json.ts";
import { resolveType } from "@rules/property-types.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import type { PartProps } from "./part-props.ts";

export function AgentsPart({ definition, kind, name, onKey }: PartProps) {
  const words = useWords(schemasWords);
  const { expose, description } = isJsonObject(definition.mcp) ? definition.mcp : {};
  const isPassword = resolveType(definition) === "password";
  // Secrets are hidden unless it is said.
  const isSeenByDefault = kind !== "secret";
  const isSeen = name === "id" || (!isPassword && (isSeenByDefault ? expose !== false : expose === true));
  return (
    <>
      <Checkbox
        label={words.expose}
        isSelected={isSeen}
        isDisabled={isPassword || name === "id"}
        description={isPassword ? words.exposeNever : undefined}
        onChange={(is) => onKey("mcp.expose", is === isSeenByDefault ? undefined : is)}
      />
      <TextArea
        label={words.agentText}
        description={words.agentTextHelp}
        value={typeof description === "string" ? description : ""}
        onChange={(text) => onKey("mcp.description", text === "" ? undefined : text)}
        rows={2}
      />
    </>
  );
}
