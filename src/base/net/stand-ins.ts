// Answers for hosts instead of the network, in tests of extensions. Empty in every server.

export interface StandInAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  isCut: boolean;
}

export type StandIn = (request: {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}) => Promise<StandInAnswer>;

const standIns = new Map<string, StandIn>();

export function addStandIn(host: string, answer: StandIn): void {
  standIns.set(host, answer);
}

export function findStandIn(host: string): StandIn | undefined {
  return standIns.size === 0 ? undefined : standIns.get(host);
}
