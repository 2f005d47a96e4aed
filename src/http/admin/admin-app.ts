// The admin web app as the browser gets it: one page for every address of the app, with a policy and a nonce of its own each
// time, and the files that the page names. Needs no session: without one the app shows its sign-in page.

import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { settleWithin } from "#base/settle-within.ts";
import { escapeHtml } from "#base/text.ts";
import { isKnown } from "#http/file-answers.ts";
import { htmlType } from "#http/media-types.ts";
import { sendMissingPage, sendPage } from "#http/pages/pages.ts";
import type { AdminBuild } from "#installation/admin-build.ts";
import { adminDist } from "#installation/admin-freshness.ts";
import { acceptedEncoding } from "./accepted-encoding.ts";
import { markOwnPage } from "./admin-host.ts";
import { type AppFile, openAppFiles } from "./app-files.ts";
import { scriptSources } from "./asset-sources.ts";

/** How long a request waits for a build that runs. */
const patienceMs = 60_000;
/** What index.html has in the place of the nonce. */
const nonceMark = "__CSP_NONCE__";
/** What it has in the place of the site's name. */
const nameMark = /(?<=<meta name="application-name" content=")[^"]*/;
const assets = "assets/";

export interface AdminApp {
  /** The page of the app. */
  sendPage(reply: FastifyReply): Promise<FastifyReply>;
  /** `path`: below `/admin/`; an asset of the build, else the page. */
  send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply>;
}

export interface AdminSite {
  /** What the sign-in page calls the site, before there is a session that could be told. */
  name(): string;
  /** Of the admin, as the settings say it; empty where they say none. */
  host(): string;
}

export function createAdminApp(build: AdminBuild, site: AdminSite): AdminApp {
  const files = openAppFiles(adminDist);
  const built = () => settleWithin([build.ended], patienceMs);

  const app: AdminApp = {
    async sendPage(reply) {
      await built();
      const page = await files.findPage();
      return page === undefined
        ? sendUnbuilt(reply)
        : sendWithNonce(
            reply,
            page.replace(nameMark, () => escapeHtml(site.name())),
            scriptSources(reply.request.host, site.host()),
          );
    },
    async send(request, reply, path) {
      if (!path.startsWith(assets)) return app.sendPage(reply);
      await built();
      const file = await files.find(path);
      return file ? sendAsset(request, reply, file) : sendMissingPage(reply);
    },
  };
  return app;
}

/** The policy allows the style elements that libraries make only by this nonce, which they read from the page. */
function sendWithNonce(reply: FastifyReply, page: string, scripts: string): FastifyReply {
  const nonce = randomBytes(16).toString("base64url");
  markOwnPage(reply);
  return reply
    .header("content-type", htmlType)
    .header("cache-control", "no-store")
    .header(
      "content-security-policy",
      `default-src 'self'; script-src ${scripts}; worker-src 'none'; manifest-src 'none'; style-src 'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; ` +
        "img-src 'self' data: blob:; media-src 'self' blob:; frame-src 'self' blob:; object-src 'none'; base-uri 'none'; " +
        "form-action 'self'; frame-ancestors 'none'",
    )
    .header("cross-origin-opener-policy", "same-origin")
    .header("referrer-policy", "same-origin")
    .header("x-frame-options", "DENY")
    .send(page.replaceAll(nonceMark, nonce));
}

async function sendAsset(request: FastifyRequest, reply: FastifyReply, file: AppFile): Promise<FastifyReply> {
  const encoding = acceptedEncoding(request.headers["accept-encoding"], file.encodings);
  const { bytes, etag } = await file.read(encoding);
  reply
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("vary", "accept-encoding")
    .header("etag", etag);
  if (isKnown(request, etag)) return reply.code(304).send();
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.header("content-type", file.type).send(bytes);
}

function sendUnbuilt(reply: FastifyReply): FastifyReply {
  const title = "The admin web app is not built";
  const body =
    `<main><h1>${title}</h1><p>The server builds it after its first start. When it still does, wait a moment and open this page ` +
    "again. When it could not, its log says why; build the app by hand in the folder of the installation:</p>" +
    "<pre>npm run build:admin</pre><p>Everything else works meanwhile.</p></main>";
  return sendPage(reply.code(503).header("retry-after", "30"), { title, body });
}
