// The routes of schemas and templates.

import { spareSchema } from "./collections.ts";
import { type Row, site } from "./row.ts";
import type { Need } from "./rules.ts";

export function schemaRows(): Row[] {
  const schemas = "/api/schemas";
  const on = (operation: Need["operation"], id?: string): Need[] => [
    { what: "schemas", operation, ...(id !== undefined && { on: id }) },
  ];
  const made = (id: string) => ({ ...spareSchema, id });
  return [
    site(`GET ${schemas}`, on("read"), () => schemas),
    site(`GET ${schemas}/:id`, on("read", "matrix"), () => `${schemas}/matrix`),
    site("GET /api/types.d.ts", on("read"), () => "/api/types.d.ts"),
    site(`GET /api/export/schemas/:id`, on("read", "blog"), () => "/api/export/schemas/blog"),
    site(`POST ${schemas}`, on("create"), ({ fresh }) => ({ path: schemas, body: made(fresh) }), { status: 201 }),
    site(`PUT ${schemas}/:id`, on("update", "spare"), () => ({ path: `${schemas}/spare`, body: spareSchema })),
    site("POST /api/schema-plan", on("update", "spare"), () => ({ path: "/api/schema-plan", body: spareSchema })),
    site("GET /api/schema-lint", on("read", "matrix"), () => "/api/schema-lint?schema=matrix"),
    site("POST /api/schema-lint", on("read", "spare"), () => ({ path: "/api/schema-lint", body: spareSchema })),
    // Neither name is one, so it stays for the others.
    site(
      `POST ${schemas}/:id/rename`,
      on("update", "spare"),
      () => ({ path: `${schemas}/spare/rename`, body: { from: "none", to: "none" } }),
      { status: 400 },
    ),
    // Collections use it, so it stays for the others.
    site(`DELETE ${schemas}/:id`, on("delete", "matrix"), () => `${schemas}/matrix`, { status: 400 }),
    site("POST /api/import/schemas", on("create"), ({ fresh }) => ({
      path: "/api/import/schemas",
      body: made(fresh),
    })),
  ];
}

export function templateRows(): Row[] {
  const [templates, history] = ["/api/templates", "/api/template-history"];
  const on = (operation: Need["operation"]): Need[] => [{ what: "templates", operation }];
  const put = { template: "{{ page.title }}" };
  return [
    site(`GET ${templates}`, on("read"), () => templates),
    site(`POST ${templates}`, on("create"), ({ fresh }) => ({ path: templates, body: { ...put, id: fresh } }), {
      status: 201,
    }),
    site(`GET ${templates}/*`, on("read"), () => `${templates}/pages/none`, { status: 404 }),
    site(`PUT ${templates}/*`, on("update"), ({ fresh }) => ({ path: `${templates}/pages/${fresh}`, body: put }), {
      status: 201,
    }),
    site(`DELETE ${templates}/*`, on("delete"), () => `${templates}/pages/none`, { status: 404 }),
    site(`GET ${history}/*`, on("read"), () => `${history}/pages/none`),
    site(`POST ${history}/*`, on("update"), () => ({ path: `${history}/pages/none`, body: { version: "x" } }), {
      status: 404,
    }),
    site("POST /api/template-preview", on("read"), () => ({ path: "/api/template-preview", body: put })),
  ];
}
