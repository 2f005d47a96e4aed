// Sitemaps and feeds, at the root of the site.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pathOf } from "#http/errors.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import { writeQuery } from "#http/query-string.ts";
import type { CollectionPath } from "#http/request.ts";
import { type HttpParts, queryOf } from "#http/request-helpers.ts";
import { namesTag } from "#http/send.ts";
import { described, text, whole } from "#openapi/route-doc.ts";
import { feedFormats, feedTypes } from "#site/feed-formats.ts";
import { getFeed } from "#site/feeds.ts";
import { getSitemap, getSitemapIndex } from "#site/sitemap.ts";
import type { XmlFile } from "#site/xml.ts";

const tag = "Site";
const filters = {
  include: text("Comma list of `property:value` or `property:operator:value`; all must match."),
  exclude: text("The same; objects that match any are left out."),
};
const sitemapType = "application/xml; charset=utf-8";
const feedNames = { rss: "an RSS feed", atom: "an Atom feed", json: "a JSON feed" };
const feedQuery = {
  limit: whole("Items; 0 and -1 mean all, up to 500.", { default: 25 }),
  ...filters,
  name: text("Title of the feed; else the collection's name."),
  description: text("Description of the feed."),
  link: text("Address of the website."),
  image: text("Address of an image."),
  language: text("Such as en-gb."),
  title: text("Property with an item's title.", { default: "title" }),
  content: text("Property with an item's text.", { default: "summary" }),
  media: text("Property with an audio or video file.", { default: "media" }),
  author: text("Property with the author's name.", { default: "author" }),
  date: text("Property to date and sort by; the newest come first.", { default: "updated" }),
  draft: text("Property that marks drafts, which are left out.", { default: "draft" }),
};
const xml = (type: string) => ({ [type]: { type: "string" } });

export function siteRoutes(server: FastifyInstance, door: HttpParts): void {
  for (const url of ["/sitemap", "/sitemap.xml"])
    server.get(
      url,
      localRead(described({ tag, summary: "The index of the sitemaps", answerTypes: xml("application/xml") })),
      async (request, reply) => sendMap(request, reply, await getSitemapIndex(request.ctx, door.baseUrl())),
    );

  const mapDoc = localRead(
    described({
      tag,
      summary: "The addresses of a collection's objects",
      description:
        "For collections whose settings switch it on, and as `-pages` for the pages of the site. " +
        "The parameters below `page` override the settings, for callers that may read the collection.",
      query: {
        page: whole("File number of a sitemap with several files.", { minimum: 1, default: 1 }),
        date: text("Property with the date of the last change."),
        frequency: text("How often pages change.", {
          enum: ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"],
        }),
        priority: { type: "number", description: "Relative to the other pages of the site.", minimum: 0, maximum: 1 },
        ...filters,
        filter: text("Alias of include."),
      },
      answerTypes: xml("application/xml"),
    }),
  );
  server.get<{ Params: CollectionPath }>("/sitemap/:collection", mapDoc, async (request, reply) => {
    const asked = { baseUrl: door.baseUrl(), params: queryOf(request) };
    return sendMap(request, reply, await getSitemap(request.ctx, request.params.collection, asked));
  });

  for (const format of feedFormats) {
    const feedDoc = localRead(
      described({
        tag,
        summary: `A collection as ${feedNames[format]}`,
        description: "The newest objects without drafts, for callers that may read the collection.",
        query: feedQuery,
        answerTypes: xml(feedTypes[format]),
      }),
    );
    server.get<{ Params: CollectionPath }>(`/feed/${format}/:collection`, feedDoc, async (request, reply) => {
      const params = queryOf(request);
      const rest = writeQuery(params, { api_key: undefined });
      const baseUrl = door.baseUrl();
      const self = `${baseUrl}${pathOf(request)}${rest && `?${rest}`}`;
      const feed = await getFeed(request.ctx, request.params.collection, format, { params, baseUrl, self });
      const who = request.ctx.actor.kind === "anonymous" ? "public" : "private";
      const type = `${feedTypes[format]}; charset=utf-8`;
      return sendXml(request, reply.header("cache-control", `${who}, max-age=60`), type, feed);
    });
  }
}

function sendMap(request: FastifyRequest, reply: FastifyReply, map: XmlFile): FastifyReply {
  // An answer that needed a right of the caller must not be cached for others.
  const policy = request.ctx.actor.kind === "anonymous" ? "public, max-age=300" : "private, no-store";
  return sendXml(request, reply.header("cache-control", policy), sitemapType, map);
}

function sendXml(request: FastifyRequest, reply: FastifyReply, type: string, { text, etag }: XmlFile): FastifyReply {
  reply.header("etag", etag).header("x-robots-tag", "noindex");
  const known = request.headers["if-none-match"];
  if (known !== undefined && namesTag(known, etag)) return reply.code(304).send();
  return reply.header("content-type", type).send(text);
}
