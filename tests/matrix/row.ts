// One row of the matrix: a route, what it asks for, and a request that passes when the caller may.

import type { Place } from "./collections.ts";
import type { Asks, Need } from "./rules.ts";

export interface Sending {
  place: Place;
  /** New for each request; begins with `refused` when the request is to be refused. */
  fresh: string;
  /** The object to aim at. */
  object: string;
}

export interface Sent {
  path: string;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

export interface Row {
  method: string;
  /** As registered. */
  url: string;
  asks(place: Place): Asks;
  /** Is about one collection: sent to each. */
  isPerPlace: boolean;
  send(sending: Sending): Sent;
  /** What the admin gets; in collections of other shapes it is what the full key gets. */
  status: number;
  /** Which object to aim at when it passes: the common one, or one made for this request. */
  target: "kept" | "work" | "fresh";
  /** Ends the session it comes with. */
  spendsSession: boolean;
  /** Changes nothing, whatever its method: no CSRF token is asked for. */
  isSafe: boolean;
  /** What it takes beside the rights: any credential, a session, or rights of one's own where the public has them too. */
  takes?: "credential" | "session" | "own rights";
}

type Options = Partial<Pick<Row, "target" | "spendsSession" | "isSafe" | "takes">> & { status?: number };
type Send = (sending: Sending) => string | Sent;

export const can = (operation: Need["operation"], what: Need["what"] = "objects") => ({ operation, what });
type Wants = ReturnType<typeof can>[];

/** A route of one collection. */
export function at(route: string, wants: Wants, send: Send, options: Options = {}): Row {
  return row(route, { asks: ({ id }) => wants.map((want) => ({ ...want, on: id })), isPerPlace: true }, send, options);
}

/** A route of the installation. */
export function site(route: string, asks: Asks, send: Send, options: Options = {}): Row {
  return row(route, { asks: () => asks, isPerPlace: false }, send, options);
}

function row(route: string, kind: Pick<Row, "asks" | "isPerPlace">, send: Send, options: Options): Row {
  const [method = "", url = ""] = route.split(" ");
  return {
    ...{ method, url, status: 200, target: "kept", spendsSession: false, isSafe: false },
    ...kind,
    ...options,
    send(sending) {
      const sent = send(sending);
      return typeof sent === "string" ? { path: sent } : sent;
    },
  };
}

export const form = (raw: string, type: string) => ({ raw, headers: { "content-type": type } });
