// Posts: the blog, and the shorter feed.

import type { SchemaRecord } from "#contract/schemas.ts";
import * as p from "./define.ts";

const blog = p.define("blog", {
  title: "Blog",
  description: "Posts with text, images, categories and tags.",
  properties: {
    id: p.id("${title}"),
    title: p.text("Title", "The headline."),
    draft: p.checkbox("Draft", "Hidden from the public while set.", { default: false }),
    featured: p.checkbox("Featured", "Shown in a prominent place."),
    date: p.date("Date", "The day the post is dated.", { default: "now" }),
    author: p.text("Author", "Who wrote it.", { settings: { propertyOptions: true } }),
    summary: p.styledtext("Summary", "A short text for lists."),
    content: p.styledtext("Content", "The post itself."),
    extra: p.styledtext("Extra", "More text, for a second place on the page."),
    media: p.url("Media", "Address of a video or sound."),
    categories: p.list("Categories", "Broad subjects.", { settings: { propertyOptions: true } }),
    tags: p.list("Tags", "Fine subjects.", { settings: { propertyOptions: true } }),
    image: p.image("Image", "The main image."),
    gallery: p.gallery("Gallery", "More images."),
    updated: p.updated(),
    created: p.created(),
  },
  required: ["id", "title", "updated", "created"],
  index: [
    "id",
    "title",
    "image",
    "date",
    "draft",
    "featured",
    "author",
    "categories",
    "tags",
    "summary",
    "updated",
    "created",
  ],
});

const feed = p.define("feed", {
  title: "Feed",
  description: "Short posts, newest first.",
  properties: {
    id: p.id("${title}-${uid}"),
    title: p.text("Title", "The headline."),
    featured: p.checkbox("Featured", "Shown in a prominent place."),
    image: p.image("Image", "The image beside the text."),
    content: p.styledtext("Content", "The post itself."),
    created: p.created(),
    updated: p.updated(),
  },
  required: ["id", "title", "content", "created", "updated"],
  index: ["id", "image", "title", "content", "created", "updated", "featured"],
});

export const postSchemas: SchemaRecord[] = [blog, feed];
