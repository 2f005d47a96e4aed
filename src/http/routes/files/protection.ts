// Protection of files, links to them, and changes of several files of a depot.

import type { FastifyInstance } from "fastify";
import { maxDepotPaths } from "#contract/admin.ts";
import type { Json } from "#contract/json.ts";
import { parametersOf } from "#http/parameters.ts";
import type { PropertyPath } from "#http/request.ts";
import { bodyOf, ifMatchOf } from "#http/request-helpers.ts";
import { sendData, sendObject } from "#http/send.ts";
import { changeDepot } from "#media/change-depot.ts";
import { requestFileLink } from "#media/serving/file-links.ts";
import { changeProtection, getProtection } from "#media/serving/file-protection.ts";
import { described, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "Property files";
const object = wrapped(ref("Object"));
const query = {
  collection: text("Of the object."),
  id: text("Of the object."),
  path: text("Of the file, folder or depot below the object: `papers/2026/report.pdf`."),
};

export function protectionRoutes(server: FastifyInstance): void {
  const linkDoc = described({
    tag,
    summary: "Make a link to a protected file",
    description:
      "For callers that may update the object and fetch the file. The link opens the file, or all files of a folder or " +
      "property, for everybody who has it, until the password changes or the link expires.",
    body: ref("FileLinkRequest"),
    answer: wrapped(ref("FileLink")),
  });
  server.post("/file-links", linkDoc, async (request, reply) =>
    sendData(reply, await requestFileLink(request.ctx, bodyOf(request))),
  );

  const getDoc = described({
    tag,
    summary: "Get what protects a file",
    description: "For callers that may update the object.",
    query,
    answer: wrapped(ref("FileProtection")),
  });
  server.get("/file-protection", getDoc, async (request, reply) =>
    sendData(reply, await getProtection(request.ctx, parametersOf(request) as Json)),
  );

  const putDoc = described({
    tag,
    summary: "Change what protects a file",
    description:
      "For callers that may update the object and fetch the files. What is absent stays; `password: null` removes the " +
      "password. The answer is the object.",
    body: ref("FileProtectionChange"),
    isConditional: true,
    answer: object,
  });
  server.put("/file-protection", putDoc, async (request, reply) =>
    sendObject(reply, await changeProtection(request.ctx, bodyOf(request), { ifMatch: ifMatchOf(request) })),
  );

  const depotDoc = described({
    tag,
    summary: "Move, rename or delete several files of a depot",
    description:
      `Up to ${maxDepotPaths} files and folders: all of it is stored, or nothing. A path inside another one goes along ` +
      "with it; what is at its destination already stays. A renaming takes one path. The answer is the object.",
    body: ref("DepotChange"),
    isConditional: true,
    answer: object,
  });
  server.post<{ Params: PropertyPath }>("/depots/:collection/:id/:property", depotDoc, async (request, reply) => {
    const condition = { ifMatch: ifMatchOf(request) };
    return sendObject(reply, await changeDepot(request.ctx, request.params, bodyOf(request), condition));
  });
}
