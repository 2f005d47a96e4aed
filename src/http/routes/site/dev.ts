// `cairn dev`: pages report what has changed to the browser, and show what their builder should know. No other command has these
// routes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { ServedPage } from "#site/cache/served-page.ts";
import { type DevChange, followSite } from "#site/dev/follow-site.ts";
import { type DevReport, renderForDev } from "#site/dev/render-for-dev.ts";
import type { PageAnswer, PageRequest } from "#site/pages/page-request.ts";
import type { AnswerPage } from "#site/template/render-page.ts";
import { pageScript, withEnd } from "./preview-script.ts";

const scriptPath = "/-/dev.js";
const eventsPath = "/-/dev/events";
const policyPath = "/-/csp";
const maxListeners = 50;
const aliveMs = 15_000;
const maxReportBytes = 20_000;

export interface DevDoor {
  render(request: PageRequest, answer: AnswerPage): Promise<ServedPage>;
}

type DevEvent = DevChange | { kind: "violation"; text: string };

export function devDoor(server: FastifyInstance, app: App): DevDoor {
  const follower = followSite(app);
  const open = new Set<(event: DevEvent) => void>();
  const endings = new Set<() => void>();

  server.get(scriptPath, (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "no-store")
      .send(pageScript("dev.js")),
  );
  server.get(eventsPath, (request, reply) => {
    if (open.size >= maxListeners) return reply.code(503).send();
    const end = sendEvents(request, reply, open);
    endings.add(end);
    request.raw.on("close", () => endings.delete(end));
    return reply;
  });
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: "string" as const, bodyLimit: maxReportBytes };
    scope.addContentTypeParser(["application/csp-report", "application/json"], options, (_request, body, done) =>
      done(null, body),
    );
    scope.post(policyPath, { config: { needsNoCsrf: true } }, (request, reply) => {
      const text = violationOf(String(request.body ?? ""));
      if (text !== undefined) for (const send of open) send({ kind: "violation", text });
      return reply.code(204).send();
    });
    done();
  });
  const stop = follower.listen((change) => {
    for (const send of open) send(change);
  });
  server.addHook("preClose", async () => {
    stop();
    follower.stop();
    for (const end of endings) end();
  });

  return {
    async render(request, answer) {
      const { page, record } = await renderForDev(app, request, { answer, show: withPanel });
      follower.follow(record.scopes);
      return page;
    },
  };
}

function sendEvents({ raw }: FastifyRequest, reply: FastifyReply, open: Set<(event: DevEvent) => void>): () => void {
  reply.hijack();
  const { raw: response } = reply;
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  response.write(": open\n\n");
  const send = (event: DevEvent) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
  const alive = setInterval(() => response.write(":\n\n"), aliveMs).unref();
  open.add(send);
  raw.on("close", () => {
    clearInterval(alive);
    open.delete(send);
  });
  return () => response.end();
}

/** A report of the browser about the policy of a page, as a sentence. */
function violationOf(text: string): string | undefined {
  let report: Json;
  try {
    report = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  const told = isJsonObject(report) ? report["csp-report"] : undefined;
  if (!isJsonObject(told)) return undefined;
  const [directive, blocked] = [told["violated-directive"], told["blocked-uri"]].map((one) =>
    String(one ?? "").slice(0, 200),
  );
  return `The content policy (${directive}) stopped ${blocked || "inline code"}.`;
}

/** The report is data in the page, which no browser runs. */
function withPanel(answer: PageAnswer, report: DevReport): PageAnswer {
  const own = answer.headers["content-security-policy"];
  const policy = own && `${own}; report-uri ${policyPath}`;
  const data = JSON.stringify({ ...report, policy }).replaceAll("<", "\\u003c");
  const shown = withEnd(
    answer,
    `<script type="application/json" id="cairn-dev">${data}</script><script src="${scriptPath}" defer></script>`,
  );
  return policy ? { ...shown, headers: { ...shown.headers, "content-security-policy": policy } } : shown;
}
