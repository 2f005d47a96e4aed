// Notes what a page asks the database, and how long each answer takes: for the panel of `cairn dev`.

import type { PageNotes } from "#site/pages/page-request.ts";
import type { SiteReader } from "#site/template/reader.ts";

const maxQueries = 200;

export function timedReader(reader: SiteReader, { queries }: PageNotes): SiteReader {
  const timed = async <T>(what: string, asked: Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await asked;
    } finally {
      if (queries.length < maxQueries) queries.push({ what, ms: Math.round((performance.now() - started) * 10) / 10 });
    }
  };
  return {
    ...reader,
    list: (collection, question, preview) =>
      timed(`query of ${collection.id}`, reader.list(collection, question, preview)),
    findMany: (collection, ids, preview) =>
      timed(`${ids.length} by id of ${collection.id}`, reader.findMany(collection, ids, preview)),
    count: (collection) => timed(`count of ${collection.id}`, reader.count(collection)),
    view: (id) => timed(`data view ${id}`, reader.view(id)),
  };
}
