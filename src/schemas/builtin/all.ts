// Every schema that ships with the service, by id. They cannot be changed; a custom schema can inherit from them.

import type { SchemaRecord } from "#contract/schemas.ts";
import { postSchemas } from "./posts.ts";
import { serviceSchemas } from "./service.ts";
import { singleSchemas } from "./single.ts";
import { siteSchemas } from "./site.ts";
import { userSchema } from "./users.ts";

export const builtInSchemas: ReadonlyMap<string, SchemaRecord> = new Map(
  [userSchema, ...postSchemas, ...singleSchemas, ...siteSchemas, ...serviceSchemas].map((schema) => [
    schema.id,
    schema,
  ]),
);
