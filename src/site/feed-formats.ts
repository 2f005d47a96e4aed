// A feed as RSS 2.0, Atom (RFC 4287) or JSON Feed 1.1. Pure.

import { tagOf } from "#content/preconditions.ts";
import { element, escapeXml, type XmlFile, xmlFile } from "./xml.ts";

export const feedFormats = ["rss", "atom", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

export const feedTypes: Readonly<Record<FeedFormat, string>> = {
  rss: "application/rss+xml",
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** Texts are empty where there is nothing. */
export interface Feed {
  title: string;
  description: string;
  /** Of the website. */
  link: string;
  image: string;
  language: string;
  /** The feed's own address. */
  self: string;
  /** The name of the site. */
  publisher: string;
  entries: readonly FeedEntry[];
  /** When the newest change of an entry was; undefined: there is none. */
  changed: string | undefined;
}

export interface FeedEntry {
  id: string;
  /** Stays the same when the page moves. */
  address: string;
  title: string;
  /** Of its page. */
  link: string;
  date: string;
  modified: string;
  author: string;
  /** HTML. */
  content: string;
  media: { address: string; length: number; type: string } | undefined;
}

export type FeedFile = XmlFile;

/** The format requires a time. */
const never = "1970-01-01T00:00:00.000Z";

export function writeFeed(format: FeedFormat, feed: Feed): FeedFile {
  if (format === "rss") return xmlFile(rss(feed));
  return format === "atom" ? xmlFile(atom(feed)) : jsonFeed(feed);
}

function rss({ title, description, link, image, language, self, entries, changed }: Feed): string {
  return (
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">\n` +
    `<channel>${element("title", title)}${element("link", link)}` +
    // The format requires one.
    `<description>${escapeXml(description)}</description>` +
    `${element("language", language)}` +
    `<atom:link href="${escapeXml(self)}" rel="self" type="${feedTypes.rss}"/>` +
    `${element("lastBuildDate", changed === undefined ? "" : new Date(changed).toUTCString())}` +
    `${image === "" ? "" : `<image>${element("url", image)}${element("title", title)}${element("link", link)}</image>`}\n` +
    `${entries.map(rssItem).join("")}</channel>\n</rss>`
  );
}

function rssItem({ id, title, link, date, author, content, media }: FeedEntry): string {
  return (
    `<item>${element("title", title)}${element("link", link)}` +
    `<guid isPermaLink="false">${escapeXml(id)}</guid>` +
    `${element("pubDate", new Date(date).toUTCString())}` +
    `${element("dc:creator", author)}${element("description", content)}` +
    `${media ? `<enclosure url="${escapeXml(media.address)}" length="${media.length}" type="${escapeXml(media.type)}"/>` : ""}` +
    `</item>\n`
  );
}

function atom({ title, description, link, image, language, self, publisher, entries, changed }: Feed): string {
  const lang = language === "" ? "" : ` xml:lang="${escapeXml(language)}"`;
  return (
    `<feed xmlns="http://www.w3.org/2005/Atom"${lang}>\n` +
    `${element("id", self)}${element("title", title)}${element("subtitle", description)}` +
    `${element("updated", changed ?? never)}<author>${element("name", publisher || title)}</author>` +
    `<link rel="self" type="${feedTypes.atom}" href="${escapeXml(self)}"/><link href="${escapeXml(link)}"/>` +
    `${element("logo", image)}\n${entries.map(atomEntry).join("")}</feed>`
  );
}

function atomEntry({ address, title, link, date, modified, author, content, media }: FeedEntry): string {
  return (
    `<entry>${element("id", address)}${element("title", title)}` +
    `${element("published", date)}${element("updated", modified)}` +
    `${author === "" ? "" : `<author>${element("name", author)}</author>`}` +
    `${link === "" ? "" : `<link href="${escapeXml(link)}"/>`}` +
    `${media ? `<link rel="enclosure" href="${escapeXml(media.address)}" length="${media.length}" type="${escapeXml(media.type)}"/>` : ""}` +
    // Without a page the format requires it.
    `${content === "" && link !== "" ? "" : `<content type="html">${escapeXml(content)}</content>`}</entry>\n`
  );
}

function jsonFeed({ title, description, link, image, language, self, publisher, entries }: Feed): FeedFile {
  const feed = {
    ...{ version: "https://jsonfeed.org/version/1.1", title, home_page_url: link, feed_url: self, description },
    ...(image !== "" && { icon: image }),
    ...(language !== "" && { language }),
    ...(publisher !== "" && { authors: [{ name: publisher }] }),
    items: entries.map(jsonItem),
  };
  const text = `${JSON.stringify(feed)}\n`;
  return { text, etag: tagOf(text) };
}

function jsonItem({ address, title, link, date, modified, author, content, media }: FeedEntry): object {
  return {
    ...{ id: address, title, ...(link !== "" && { url: link }), content_html: content },
    ...{ date_published: date, date_modified: modified },
    ...(author !== "" && { authors: [{ name: author }] }),
    ...(media && {
      attachments: [
        { url: media.address, mime_type: media.type, ...(media.length > 0 && { size_in_bytes: media.length }) },
      ],
    }),
  };
}
