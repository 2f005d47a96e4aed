// One request to the endpoint and its answer, as the revisions of the protocol are handed it.

import type { IncomingMessage, ServerResponse } from "node:http";
import { ownerOf } from "#access/mcp-sessions.ts";
import type { Context, Origin } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { ToolFinder } from "#mcp/catalogue.ts";
import type { Caller, Credentials } from "./authenticate.ts";
import { isStream, sendResponse } from "./fetch-bridge.ts";
import type { Sender } from "./sender.ts";
import type { Streams } from "./streams.ts";

export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  /** Undefined: there was none. */
  body: Json | undefined;
  caller: Caller;
  credentials: Credentials;
  origin: Origin;
}

/** With what its caller may do. */
export interface OpenExchange extends Exchange {
  ctx: Context;
  findTool: ToolFinder;
}

/** One revision of the protocol, or several that work alike. Answers on `res` by itself. */
export interface Revision {
  /** `request`: the same for the library, without the body. */
  serve(exchange: OpenExchange, request: Request): Promise<void>;
  close(): void | Promise<void>;
}

/** Whom sessions and streams of this exchange are counted for. */
export function ownerOfExchange({ caller, origin }: Exchange): string {
  return ownerOf(caller.principal, caller.actor, origin.address);
}

/** What the library hands on to the handlers (sender.ts). */
export function authInfo({ caller, ctx, findTool }: OpenExchange, streams: Streams) {
  const sender: Sender = { ctx, findTool, beginWatching: (uri) => streams.begin(ctx, uri) };
  return { token: "", clientId: caller.principal, scopes: [], extra: { sender } };
}

/** A long answer ends as well when its caller loses access. */
export async function send({ res, credentials }: Exchange, response: Response, streams: Streams): Promise<void> {
  const leave = isStream(response) ? streams.guard({ credentials, end: () => res.destroy() }) : () => {};
  await sendResponse(res, response).finally(leave);
}
