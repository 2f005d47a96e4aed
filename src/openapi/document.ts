// The OpenAPI 3.1 document: built from the descriptions of the routes and from the site's own schemas.
// Callers see the schemas of the collections they may read.

import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { collectionRoutes } from "./collection-paths.ts";
import { extensionRoutes } from "./extension-routes.ts";
import { fixedSchemas } from "./fixed-schemas.ts";
import { changeSchema, inputSchema, objectSchema } from "./object-schema.ts";
import { type DocumentedRoute, isOfSession, type RouteDoc } from "./route-doc.ts";
import { schemasOf, type TypedCollection, typedCollections } from "./typed-collections.ts";

export async function buildOpenApi(
  ctx: Context,
  routes: readonly DocumentedRoute[],
  { baseUrl, sessionCookie }: { baseUrl: string; sessionCookie: string },
): Promise<JsonObject> {
  const paths: JsonObject = {};
  const put = (route: DocumentedRoute, id: string): void => {
    paths[route.path] = { ...(paths[route.path] as JsonObject), [route.method]: operation(route, id) };
  };
  const collections = await typedCollections(ctx);
  const ofCollections = collectionRoutes(
    collections,
    routes,
    routes.map(({ method, path }) => operationId(method, path)),
  );
  for (const route of routes) put(route, operationId(route.method, route.path));
  const ofExtensions = await extensionRoutes(ctx);
  for (const route of [...ofCollections, ...ofExtensions]) put(route, route.operationId);
  const tags = new Set([...routes, ...ofCollections, ...ofExtensions].map(({ doc }) => doc.tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "Cairn REST API",
      version: "1",
      description:
        "Objects in collections, each bound to a schema. Errors have one shape; every answer carries X-Request-Id.",
    },
    servers: [{ url: baseUrl }],
    security: [{}, { apiKey: [] }, { bearer: [] }, { session: [] }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...fixedSchemas, ...siteSchemas(collections) },
      responses: { Error: { description: "The error.", content: json({ $ref: "#/components/schemas/Error" }) } },
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        bearer: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: sessionCookie },
      },
    },
  };
}

function operation({ method, path, doc }: DocumentedRoute, id: string): JsonObject {
  const { status = 200, body, bodyTypes = ["application/json"] } = doc;
  return {
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description && { description: doc.description }),
    operationId: id,
    parameters: [...parameters(path, doc), ...(isRepeatable(method, path) ? [once] : [])],
    ...(body && {
      requestBody: {
        required: !doc.isBodyOptional,
        content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: body }])),
      },
    }),
    responses: {
      [status]: responseOf(doc),
      ...(doc.mayCreate && { "201": responseOf({ ...doc, status: 201 }) }),
      ...(doc.isTagged && { "304": { description: "Not modified." } }),
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/api/, "")
    .split(/[^a-z]+/i)
    .filter(Boolean);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const once = {
  name: "Idempotency-Key",
  in: "header",
  description: "A new UUID for each request: sent again with the same one, the request is not carried out twice.",
  schema: { type: "string", maxLength: 255 },
};

function isRepeatable(method: string, path: string): boolean {
  return method.toLowerCase() === "post" && path.startsWith("/api/") && !isOfSession(path);
}

function parameters(path: string, { query = {}, isConditional, isTagged }: RouteDoc): JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description !== undefined && { description }),
    ...(schema.type === "object" && { style: "deepObject", explode: true }),
    schema,
  }));
  const condition = {
    name: "If-Match",
    in: "header",
    description: "The ETag of the version to change; 412 when it has changed since.",
    schema: { type: "string" },
  };
  const known = {
    name: "If-None-Match",
    in: "header",
    description: "The ETag of the client's copy; 304 when it is still current.",
    schema: { type: "string" },
  };
  return [...inPath, ...inQuery, ...(isConditional ? [condition] : []), ...(isTagged ? [known] : [])];
}

function responseOf({ answer, answerTypes, status = 200 }: RouteDoc): JsonObject {
  const description = status === 201 ? "Created." : status === 204 ? "Done, no body." : "OK.";
  if (answerTypes) {
    const content = Object.entries(answerTypes).map(([type, schema]) => [type, { schema }]);
    return { description, content: Object.fromEntries(content) };
  }
  return { description, ...(answer && { content: json(answer) }) };
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

function siteSchemas(collections: readonly TypedCollection[]): JsonObject {
  const schemas: JsonObject = {};
  for (const schema of schemasOf(collections)) {
    schemas[schema.id] = objectSchema(schema);
    schemas[`${schema.id}.input`] = inputSchema(schema);
    schemas[`${schema.id}.change`] = changeSchema(schema);
  }
  return schemas;
}
