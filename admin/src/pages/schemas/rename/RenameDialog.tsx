// Gives a stored property another name, which keeps its values. Says before what it concerns and what does not follow, and shows
// how far the objects are that the server moves in the background.

import type { CollectionSettings } from "@contract/collections.ts";
import type { PropertyDefinition, SchemaPlan, SchemaRecord } from "@contract/schemas.ts";
import { resolveType } from "@rules/property-types.ts";
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { schemaLayoutWords } from "#words/schema-layout.ts";
import { type PlannedRename, plannedRename, renamedSchema } from "./planned.ts";
import css from "./RenameDialog.module.css";

interface Props {
  /** As it is stored, without the properties of its parents. */
  schema: SchemaRecord;
  property: string;
  /** With the schema as it is afterwards. */
  onRenamed: (schema: SchemaRecord) => void;
  onClose: () => void;
}

const nameForm = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;
/** Larger collections are moved in the background. */
const movedAtOnce = 1_000;

export function RenameDialog({ schema, property, onRenamed, onClose }: Props) {
  const words = useWords(schemaLayoutWords);
  const common = useWords(commonWords);
  const [name, setName] = useState(property);
  const [isTried, setIsTried] = useState(false);
  const plan = useQuery({
    queryKey: ["schemas", "rename", schema.id, property],
    queryFn: ({ signal }) => askData<SchemaPlan>(routes.planSchema, { body: renamedSchema(schema, property), signal }),
    gcTime: 0,
    retry: false,
  });
  const renaming = useMutation({
    mutationFn: () =>
      askData<SchemaRecord>(routes.renameProperty, { path: { id: schema.id }, body: { from: property, to: name } }),
    onSuccess: (saved) => {
      if (!isLarge(plan.data)) finish(saved);
    },
  });
  const finish = (saved: SchemaRecord) => {
    toast.good(words.renamed(property, name));
    onRenamed(saved);
  };

  if (renaming.data) {
    const saved = renaming.data;
    return (
      <Dialog
        title={words.movingTitle(property, name)}
        size="small"
        onClose={() => finish(saved)}
        footer={(close) => (
          <Button variant="primary" onPress={close}>
            {words.done}
          </Button>
        )}
      >
        <Moving collections={largeOf(plan.data)} />
      </Dialog>
    );
  }

  const refusal = renaming.error instanceof ApiError ? refusalOf(renaming.error) : undefined;
  const wrong = problemOf(words, schema, { property, name });
  const submit = () => {
    setIsTried(true);
    if (wrong === undefined) renaming.mutate();
  };
  const error = isTried ? (wrong ?? refusal) : undefined;
  return (
    <Dialog
      title={words.rename}
      size="small"
      onClose={onClose}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit" isPending={renaming.isPending}>
            {words.doRename}
          </Button>
        </>
      )}
    >
      <div className={css.body}>
        <p>{words.renameText(property)}</p>
        <TextInput
          label={words.newName}
          description={words.newNameHelp}
          value={name}
          onChange={(next) => {
            setName(next.trim());
            renaming.reset();
          }}
          error={error}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {renaming.error && refusal === undefined && (
          <div role="alert">
            <Notice tone="bad">{errorText(renaming.error, common).text}</Notice>
          </div>
        )}
        <Reach
          plan={plan.data}
          property={property}
          hasFiles={isUploaded(schema.properties[property])}
          isAsking={plan.isPending}
          error={plan.error}
        />
      </div>
    </Dialog>
  );
}

type Words = (typeof schemaLayoutWords)["en"];

function problemOf(
  words: Words,
  schema: SchemaRecord,
  { property, name }: { property: string; name: string },
): string | undefined {
  if (name === "") return words.newNameNeeded;
  if (name === property) return words.newNameSame;
  if (!nameForm.test(name)) return words.newNameWrong;
  return Object.hasOwn(schema.properties, name) ? words.newNameTaken(name) : undefined;
}

/** What the server says of one of the names; undefined: it says something else. */
function refusalOf({ details }: ApiError): string | undefined {
  const all = Object.values(details).flat();
  return all.length > 0 ? all.join(" ") : undefined;
}

interface ReachProps {
  plan: SchemaPlan | undefined;
  property: string;
  hasFiles: boolean;
  isAsking: boolean;
  error: Error | null;
}

/** How many objects, and what does not follow. */
function Reach({ plan, property, hasFiles, isAsking, error }: ReachProps) {
  const words = useWords(schemaLayoutWords);
  const common = useWords(commonWords);
  if (error) return <Notice tone="warn">{errorText(error, common).text}</Notice>;
  if (isAsking || !plan) return <p className={css.quiet}>{words.counting}</p>;
  const { mentions, ...reach } = plannedRename(plan, property);
  return (
    <>
      <div className={css.quiet} role="status">
        <Counts reach={reach} />
        <p>{words.follows}</p>
        {hasFiles && <p>{words.filesFollow}</p>}
        {isLarge(plan) && <p>{words.inBackground}</p>}
      </div>
      {mentions.length > 0 && (
        <Notice tone="warn" title={words.doNotFollow}>
          <ul className={css.mentions}>
            {mentions.map(({ kind, id, line }) => (
              <li key={`${kind} ${id}`}>
                {words.mentions[kind](id)}
                {line !== undefined && <span className={css.line}> {words.mentionLine(line)}</span>}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function Counts({ reach: { collections, hasOthers, counted } }: { reach: Omit<PlannedRename, "mentions"> }) {
  const words = useWords(schemaLayoutWords);
  const named = collections.reduce((sum, [, objects]) => sum + objects, 0);
  return (
    <>
      {named > 0 && <p>{words.affects(named, formatList(collections.map(([id]) => id)))}</p>}
      {hasOthers && <p>{words.affectsOthers}</p>}
      {named === 0 && <p>{words.affectsNone}</p>}
      {counted !== undefined && <p>{words.affectsSome(counted)}</p>}
    </>
  );
}

function isUploaded(definition: PropertyDefinition | undefined): boolean {
  return definition !== undefined && ["image", "file", "gallery", "depot"].includes(resolveType(definition));
}

function largeOf(plan: SchemaPlan | undefined): string[] {
  return (plan?.collections ?? []).filter(({ objects }) => objects > movedAtOnce).map(({ id }) => id);
}

function isLarge(plan: SchemaPlan | undefined): boolean {
  return largeOf(plan).length > 0;
}

type Indexed = CollectionSettings & { index?: { state: "ready" | "rebuilding"; done: number; total: number } };

/** How far each collection is, asked every second. */
function Moving({ collections }: { collections: string[] }) {
  const words = useWords(schemaLayoutWords);
  const found = useQueries({
    queries: collections.map((collection) => ({
      queryKey: ["schemas", "moving", collection],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        askData<Indexed>(routes.collectionSettings, { path: { collection }, signal }),
      gcTime: 0,
      refetchInterval: ({ state }: { state: { data?: Indexed; status: string } }) =>
        state.status === "error" || state.data?.index?.state === "ready" ? (false as const) : 1_000,
    })),
  });
  return (
    <div className={css.body}>
      <p className={css.quiet}>{words.movingText}</p>
      {found.map(({ data }, at) => {
        const collection = collections[at] as string;
        const { state, done = 0, total = 0 } = data?.index ?? {};
        const moved = state === "ready" ? total : done;
        return (
          <Progress
            key={collection}
            label={words.movingIn(collection)}
            {...(state !== undefined && { value: moved, max: Math.max(1, total) })}
            detail={state !== undefined && words.moving(moved, total)}
          />
        );
      })}
    </div>
  );
}
