// The header `Vary`: several parts of an answer each name what they depend on.

import type { FastifyReply } from "fastify";

export function addVary(reply: FastifyReply, name: string): void {
  reply.header("vary", withVary(reply.getHeader("vary") as string | undefined, name));
}

export function withVary(vary: string | undefined, name: string): string {
  return vary === undefined ? name : `${vary}, ${name}`;
}
