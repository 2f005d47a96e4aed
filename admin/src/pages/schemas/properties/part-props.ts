// What the parts of the panel of a property take.

import type { Json } from "@contract/json.ts";
import type { PropertyDefinition } from "@contract/schemas.ts";

export interface PartProps {
  name: string;
  definition: PropertyDefinition;
  kind: string;
  /** Sets a key of the definition; undefined removes it. */
  onKey: (key: string, value: Json | undefined) => void;
  onDefinition: (step: string, definition: PropertyDefinition) => void;
}
