// Requests to a site as they are written: no address is tidied up, no redirect followed, no answer decoded.

import { type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** It was made by Cairn, not by a server in front. */
  isCairns: boolean;
}

/** A text is the reason why there is no answer. */
export type AskSite = (path: string, asked?: Asked) => Promise<Answer | string>;

const timeoutMs = 30_000;
const maxText = 1_000_000;

export function askerOf({ protocol, hostname, port }: URL): AskSite {
  const send = protocol === "https:" ? requestHttps : requestHttp;
  const host = hostname.replace(/^\[|\]$/g, "");
  return (path, { method = "GET", headers = {}, body } = {}) =>
    new Promise((done) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      // A connection for each: none that the other side is about to close is used again.
      const options = { host, port, path, method, headers: { ...headers, ...length }, signal, agent: false };
      const asking = send(options, (incoming) => {
        const { statusCode: status = 0, headers: received } = incoming;
        let text = "";
        const finish = () => done({ status, headers: received, text, isCairns: isOfCairn(received) });
        incoming.setEncoding("latin1");
        incoming.on("data", (part: string) => {
          text += part;
          if (text.length > maxText) incoming.destroy();
        });
        incoming.on("close", finish).on("error", finish);
      });
      // A server may answer and close before it has read the whole body: then the answer comes first.
      asking.on("error", (error) => done(signal.aborted ? "There was no answer within 30 seconds." : error.message));
      asking.end(body);
    });
}

/** Every answer of Cairn carries both. */
function isOfCairn(headers: IncomingHttpHeaders): boolean {
  return headers["x-request-id"] !== undefined && headers["x-content-type-options"] === "nosniff";
}
