// The stream of notices of a session (2025 revisions), written by hand: it carries nothing but notices, and a site may
// have very many of them open. Streams that answer a request are the library's.

import type { ServerResponse } from "node:http";
import { refuse } from "#mcp/refusal.ts";
import type { Notice } from "./streams.ts";

export interface NoticeStream {
  send(notice: Notice): void;
  /** The client learns that it is open. */
  begin(): void;
  end(): void;
  /** Resolves when it is over, whichever side ended it. */
  readonly closed: Promise<void>;
}

const keepAliveMs = 15_000;
/** A client that leaves more than this unread is disconnected. */
const maxUnread = 262_144;

const methods: Record<Notice["kind"], string> = {
  resource_updated: "notifications/resources/updated",
  resources_list_changed: "notifications/resources/list_changed",
  tools_list_changed: "notifications/tools/list_changed",
  prompts_list_changed: "notifications/prompts/list_changed",
};

export function openNoticeStream(res: ServerResponse, sessionId: string): NoticeStream {
  if (!res.req.headers.accept?.includes("text/event-stream")) refuse(406, "The client must accept text/event-stream.");
  res.setHeader("content-type", "text/event-stream");
  res.setHeader("cache-control", "no-store, no-transform");
  res.setHeader("x-accel-buffering", "no");
  res.setHeader("mcp-session-id", sessionId);
  res.writeHead(200);
  const write = (text: string) => {
    if (res.destroyed || res.writableEnded) return;
    res.write(text);
    if (res.writableLength > maxUnread) res.destroy();
  };
  const timer = setInterval(() => write(": keepalive\n\n"), keepAliveMs).unref();
  const closed = new Promise<void>((resolve) => res.once("close", resolve)).then(() => clearInterval(timer));
  return {
    send(notice) {
      const params = notice.kind === "resource_updated" ? { params: { uri: notice.uri } } : {};
      const message = { jsonrpc: "2.0", method: methods[notice.kind], ...params };
      write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    begin: () => void (res.writableEnded || res.flushHeaders()),
    end: () => res.end(),
    closed,
  };
}
