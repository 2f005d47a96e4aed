// Data views as resources: `cairn://view/{id}`, one for each view that the caller is shown.

import { CairnError } from "#base/errors.ts";
import { getExposedView, listExposedViews } from "#data-views/exposed.ts";
import { knownViews } from "#data-views/load-views.ts";
import { plainLine } from "./names.ts";
import type { ResourceProvider } from "./resource.ts";
import { readView } from "./tools/views.ts";

export const viewResources: ResourceProvider = {
  word: "view",
  async list(ctx) {
    return (await listExposedViews(ctx)).map(({ id, name, agentDescription }) => ({
      uri: `cairn://view/${id}`,
      name: id,
      title: plainLine(name, 200),
      description: plainLine(agentDescription),
      mimeType: "application/json",
    }));
  },
  async read(ctx, id) {
    try {
      await getExposedView(ctx, id);
      return await readView(ctx, id);
    } catch (error) {
      if (error instanceof CairnError) return undefined;
      throw error;
    }
  },
  async exposure(ctx, id) {
    return (await knownViews.load(ctx)).get(id)?.access;
  },
};
