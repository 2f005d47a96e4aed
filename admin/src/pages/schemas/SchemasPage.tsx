// All schemas by category, one's own before the built-in ones.

import type { SchemaDetails } from "@contract/schemas.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CopyPlus, FolderPlus, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { Badge } from "#ui/Badge.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import type { MenuEntry } from "#ui/Menu.tsx";
import { Notice } from "#ui/Notice.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { DeleteSchema } from "./DeleteSchema.tsx";
import { schemasQuery, usesOf } from "./schema-queries.ts";
import css from "./schemas.module.css";
import { UsedBy } from "./UsedBy.tsx";

/** Fewer are found at a glance. */
const leastForFilter = 8;

export function SchemasPage() {
  const words = useWords(schemasWords);
  const can = useCan();
  const { site } = useStart();
  const navigate = useNavigate();
  const listed = useQuery({ ...schemasQuery, enabled: can("read", "schemas") });
  const isPro = site.edition === "pro";
  const mayCreate = isPro && can("create", "schemas");
  const toNew = () => void navigate({ to: "/admin/schemas/-new" });
  useShortcut("n", words.newSchema, toNew, { when: mayCreate });
  useCommand(mayCreate ? { id: "new-schema", label: words.newSchema, run: toNew } : undefined);
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: words.build }]}
      needs={can("read", "schemas")}
      isBusy={listed.isPending}
      isWide
      actions={
        mayCreate && (
          <LinkButton to="/admin/schemas/-new" variant="primary" icon={Plus}>
            {words.newSchema}
          </LinkButton>
        )
      }
    >
      <div className={css.list}>
        {!isPro && <Notice tone="info">{words.edition(site.edition)}</Notice>}
        {listed.error && <Failed error={listed.error} onRetry={() => void listed.refetch()} />}
        {listed.isPending && <Waiting />}
        {listed.data && <List schemas={isPro ? listed.data : listed.data.filter(isFixed)} mayCreate={mayCreate} />}
      </div>
    </Page>
  );
}

/** Of the service or of an extension: it cannot be changed. */
function isFixed({ isBuiltIn, extension }: SchemaDetails): boolean {
  return isBuiltIn || extension !== null;
}

function Waiting() {
  const isShown = useDelayed(true, 300);
  return isShown && [1, 2, 3, 4, 5].map((line) => <Skeleton key={line} height={44} />);
}

function List({ schemas, mayCreate }: { schemas: readonly SchemaDetails[]; mayCreate: boolean }) {
  const words = useWords(schemasWords);
  const can = useCan();
  const { collections } = useStart();
  const navigate = useNavigate();
  const [search, setSearch] = useState("");
  const [deleted, setDeleted] = useState<SchemaDetails>();
  const categoryOf = ({ category }: SchemaDetails) => category;
  const wanted = search.trim().toLowerCase();
  const found = schemas.filter((schema) =>
    [schema.name, schema.title, categoryOf(schema)].some((text) => text.toLowerCase().includes(wanted)),
  );
  const rows = found.toSorted(
    (one, other) =>
      Number(isFixed(one)) - Number(isFixed(other)) ||
      categoryOf(one).localeCompare(categoryOf(other)) ||
      one.title.localeCompare(other.title),
  );
  const usesIn = ({ name }: SchemaDetails) => usesOf(name, collections, schemas);

  const actions = (schema: SchemaDetails): MenuEntry[] => {
    const { name } = schema;
    const entries: MenuEntry[] = [];
    if (mayCreate)
      entries.push({
        ...{ id: "duplicate", label: words.duplicate, icon: CopyPlus },
        onAction: () => void navigate({ to: "/admin/schemas/-new", search: { from: name } }),
      });
    if (can("create", "collections"))
      entries.push({
        ...{ id: "collection", label: words.newCollection, icon: FolderPlus },
        onAction: () => void navigate({ to: "/admin/collections/-new", search: { schema: name } }),
      });
    if (!isFixed(schema) && can("delete", "schemas"))
      entries.push({
        ...{ id: "delete", label: words.deleteLabel, icon: Trash2, tone: "danger" },
        onAction: () => setDeleted(schema),
      });
    return entries;
  };

  return (
    <>
      {schemas.length >= leastForFilter && (
        <div className={css.search}>
          <SearchInput label={words.find} value={search} onChange={setSearch} isLabelHidden placeholder={words.find} />
        </div>
      )}
      <RecordGrid
        label={words.grid}
        rows={rows}
        idOf={({ name }) => name}
        nameOf={({ title }) => title}
        columns={[
          {
            id: "title",
            label: words.columnTitle,
            sortBy: ({ title }) => title.toLowerCase(),
            cell: ({ name, title, description, isBuiltIn, extension }) => (
              <div className={css.title}>
                <span className={css.titleLine}>
                  <TextLink to="/admin/schemas/$id" params={{ id: name }}>
                    {title}
                  </TextLink>
                  <code className={css.id}>{name}</code>
                  {(isBuiltIn || extension !== null) && <Badge>{extension ?? words.builtIn}</Badge>}
                </span>
                {description !== "" && <span className={css.description}>{description}</span>}
              </div>
            ),
          },
          {
            id: "category",
            label: words.columnCategory,
            sortBy: (schema) => categoryOf(schema).toLowerCase(),
            cell: (schema) => categoryOf(schema),
            width: "10rem",
          },
          {
            id: "properties",
            label: words.columnProperties,
            sortBy: ({ properties }) => properties,
            cell: ({ properties }) => formatNumber(properties),
            align: "end",
            width: "7rem",
          },
          {
            id: "usedBy",
            label: words.columnUsedBy,
            cell: (schema) => {
              const use = usesIn(schema);
              const isUsed = use.collections.length + use.schemas.length > 0;
              return isUsed ? <UsedBy use={use} /> : <span className={css.quiet}>{words.notUsed}</span>;
            },
          },
        ]}
        actions={actions}
        actionsLabel={words.actionsFor}
        empty={<EmptyState title={words.noMatch} />}
      />
      {deleted && (
        <DeleteSchema
          id={deleted.name}
          title={deleted.title}
          use={usesIn(deleted)}
          onClose={() => setDeleted(undefined)}
          onDeleted={() => setDeleted(undefined)}
        />
      )}
    </>
  );
}
