// What a request confirms by its address: that users who register may read closed collections, or drafts.

import type { FastifyRequest } from "fastify";
import { findText } from "#content/query/parameters.ts";
import { parametersOf } from "#http/parameters.ts";
import { text } from "#openapi/route-doc.ts";

export const confirmingRegistration = {
  note: "409 where users who register would read closed collections or drafts that they could not read before; `details.collections` names them.",
  query: {
    confirm: text("`registration`: users who register may read closed collections or drafts.", {
      enum: ["registration"],
    }),
  },
};

export function confirmsRegistration(request: FastifyRequest): boolean {
  return findText(parametersOf(request), "confirm") === "registration";
}
