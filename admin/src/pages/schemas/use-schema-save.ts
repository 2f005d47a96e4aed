// Saves a schema: asks the server first what the change means, and the person where there is anything to look at.

import type { JsonObject } from "@contract/json.ts";
import type { SchemaPlan } from "@contract/schemas.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { beganFrom, type Stored } from "#form/editing/begin.ts";
import { useEditing } from "#form/editing/use-editing.ts";
import type { Saving as FormSaving } from "#form/editing/use-save.ts";
import type { DraftStore } from "./draft.ts";
import { keptPlace, type OpenedSchema } from "./opened-schema.ts";
import { difference, joinParts, partOfProperty, partsOf, renamedParts } from "./parts.ts";
import { renameUnsaved } from "./properties/edit.ts";
import { isWorthReview } from "./review.ts";
import { fetchSchema, forgetSchemas } from "./schema-queries.ts";

interface Saving extends Required<Pick<FormSaving, "labelOf" | "check">> {
  store: DraftStore;
  /** Undefined: it is new. */
  id: string | undefined;
  opened: OpenedSchema;
  isReadOnly: boolean;
  onSaved: (id: string) => void;
  onDiscard: () => void;
}

/** A plan that waits for an answer. */
interface Review {
  plan: SchemaPlan;
  answer: (isApplied: boolean) => void;
}

export function useSchemaSave({ store, id, opened, isReadOnly, labelOf, check, onSaved, onDiscard }: Saving) {
  const { form } = store;
  const queries = useQueryClient();
  const [review, setReview] = useState<Review>();
  const askReview = async (plan: SchemaPlan): Promise<boolean> => {
    const isApplied = await new Promise<boolean>((answer) => setReview({ plan, answer }));
    setReview(undefined);
    return isApplied;
  };

  const [began] = useState(() =>
    beganFrom({ values: partsOf(opened.begun), etag: opened.stored?.etag ?? "" }, opened.kept),
  );
  const edited = useEditing({
    ...{ store: form, isNew: id === undefined, began, labelOf, check, isReadOnly, kept: opened.kept, join: joinParts },
    place: { collection: keptPlace, id: id ?? "-new" },
    title: () => store.record().title || store.record().id,
    send: async (_sent, ifMatch) => {
      const body = store.record();
      if (id === undefined) await ask(routes.createSchema, { body });
      else {
        const plan = await askData<SchemaPlan>(routes.planSchema, { body });
        if (isWorthReview(plan) && !(await askReview(plan))) return undefined;
        await ask(routes.replaceSchema, { path: { id }, body, ifMatch });
      }
      return readParts(body.id);
    },
    read: () => readParts(id ?? ""),
    placeError: (name, texts) => {
      const isOfProperty = Object.hasOwn(store.record().properties, name) && !/^Id\b/.test(texts[0] ?? "");
      return [isOfProperty ? partOfProperty(name) : name, texts.join(". ")];
    },
    onSaved: ({ values }) => {
      store.forgetSteps();
      forgetSchemas(queries);
      onSaved(String(values.id));
    },
    onDiscard: () => {
      store.forgetSteps();
      onDiscard();
    },
  });

  return {
    edited,
    review,
    /** The server has given a property another name. What is not saved follows it. */
    takeRenamed: async (from: string, to: string) => {
      const dirty = form.summary().dirty;
      const mine = partsOf(renameUnsaved(store.record(), from, to) as unknown as JsonObject);
      const stored = await readParts(store.record().id);
      edited.take(stored);
      form.lay(difference(form.values(), renamedParts(stored.values, mine, dirty, { from, to })));
      store.forgetSteps();
      forgetSchemas(queries);
    },
  };
}

async function readParts(id: string): Promise<Stored> {
  const { data, etag } = await fetchSchema(id);
  return { values: partsOf(data), etag };
}
