// Answers for hosts instead of the network, in tests of extensions. Empty in every server.

import type { GuardedAnswer, GuardedRequest } from "./guarded-request.ts";

export type StandIn = (request: GuardedRequest & { url: URL }) => Promise<GuardedAnswer>;

const standIns = new Map<string, StandIn>();

export function addStandIn(host: string, answer: StandIn): void {
  standIns.set(host, answer);
}

export function findStandIn(host: string): StandIn | undefined {
  return standIns.size === 0 ? undefined : standIns.get(host);
}
