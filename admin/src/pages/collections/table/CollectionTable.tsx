// The table of a collection: search, filters, order, columns, views, selection and what is done with it. Its state is the address.

import type { AdminCollection, FormDescription } from "@contract/admin.ts";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, Columns3, LayoutGrid, ListFilter, Plus, Rows3 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { type Filter, type Layout, nextSort, withFilter } from "#grid/address.ts";
import { useFailures } from "#grid/bulk/failures.ts";
import { useBulkJobs } from "#grid/bulk/jobs.ts";
import { isMedia, type Row } from "#grid/columns.ts";
import { bareHeight, DataGrid } from "#grid/DataGrid.tsx";
import type { GridProps } from "#grid/grid-types.ts";
import { moved } from "#grid/keys.ts";
import { useRows } from "#grid/useRows.ts";
import type { Range } from "#grid/windows.ts";
import { useObjectPages } from "#pages/objects/object-pages.ts";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, linkProps } from "#shell/links.tsx";
import { pathOf } from "#shell/navigation.ts";
import { Page } from "#shell/Page.tsx";
import { parseSearch, writeSearch } from "#shell/paths.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import { SearchBox } from "./SearchBox.tsx";
import css from "./table.module.css";
import { useFill } from "./useFill.ts";
import { usePlaceInHistory } from "./usePlaceInHistory.ts";
import { useRowActions } from "./useRowActions.tsx";
import { useTableModel } from "./useTableModel.tsx";
import { useTableSelection } from "./useTableSelection.ts";
import { useTablePreferences, useTableState } from "./useTableState.ts";

const CardList = lazy(() => import("#grid/CardList.tsx").then((part) => ({ default: part.CardList<Row> })));
const FilterChips = lazy(() => import("#grid/filter/FilterChips.tsx").then((part) => ({ default: part.FilterChips })));
const EmptyState = lazy(() => import("#ui/EmptyState.tsx").then((part) => ({ default: part.EmptyState })));
const BulkProgress = lazy(() => import("#grid/bulk/BulkProgress.tsx").then((part) => ({ default: part.BulkProgress })));
const FailuresDialog = lazy(() =>
  import("#grid/bulk/FailuresDialog.tsx").then((part) => ({ default: part.FailuresDialog })),
);
const CollectionMenu = lazy(() =>
  import("#pages/collections/CollectionMenu.tsx").then((part) => ({ default: part.CollectionMenu })),
);
const CardFace = lazy(() => import("./CardFace.tsx").then((part) => ({ default: part.CardFace })));
const ViewsMenu = lazy(() => import("./ViewsMenu.tsx").then((part) => ({ default: part.ViewsMenu })));
const SelectionTools = lazy(() => import("./SelectionTools.tsx").then((part) => ({ default: part.SelectionTools })));
const ColumnsDialog = lazy(() => import("#grid/ColumnsDialog.tsx").then((part) => ({ default: part.ColumnsDialog })));
const FilterDialog = lazy(() =>
  import("#grid/filter/FilterDialog.tsx").then((part) => ({ default: part.FilterDialog })),
);

interface Props {
  collection: AdminCollection;
  form: FormDescription;
  /** The form and the preferences are there. */
  isReady: boolean;
  /** Why they are not. */
  problem: { error: Error; retry: () => void } | undefined;
  /** What stands beside the table. */
  beside?: ReactNode;
}

/** Beneath the list: the foot and the edge of the page. */
const below = 76;

export function CollectionTable({ collection, form, isReady, problem, beside }: Props) {
  const { id } = collection;
  const pages = useObjectPages(collection);
  const name = pages.tableName;
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const can = useCan();
  const navigate = useNavigate();
  const [state, change, params] = useTableState();
  const [preferences, savePreferences] = useTablePreferences(id);
  const [dialog, setDialog] = useState<"filter" | "columns">();
  const isNarrow = useMediaQuery("(max-width: 639px)");
  const layout: Layout = state.layout ?? preferences.layout ?? (isMedia(form) ? "cards" : "table");

  const openObject = useCallback(
    (row: Row, isNewTab = false) => {
      if (isNewTab) window.open(pathOf(pages.object(row.id)), "_blank", "noopener");
      else void navigate(linkProps(pages.object(row.id)));
    },
    [pages, navigate],
  );
  const rowHref = useCallback((row: Row) => pathOf(pages.object(row.id)), [pages]);
  const open = useCallback((row: Row) => openObject(row), [openObject]);
  const model = useTableModel({
    collection,
    form,
    usual: pages.columns,
    state,
    preferences,
    words,
    hrefOf: rowHref,
    onOpen: open,
  });
  const { question, columns, shown, titleProperty, nameOf } = model;

  const { place, onLeave } = usePlaceInHistory();
  const asked = isReady ? question : undefined;
  const [range, setRange] = useRange(asked, place?.row ?? 0);
  const rows = useRows(asked, range);
  const failure = problem ?? (rows.error ? { error: rows.error, retry: rows.retry } : undefined);
  const { total } = rows;
  const chosen = useTableSelection(JSON.stringify([question.query.search, state.filters]), rows);
  const hasJobs = useBulkJobs(id).length > 0;
  const hasFailures = useFailures().length > 0;
  const actions = useRowActions({ collection, form, nameOf, onOpen: open });

  const area = useRef<HTMLDivElement>(null);
  const height = useFill(area, below, isReady);
  const newLabel = pages.newTitle;
  const canCreate = can("create", { objects: id });
  const create = () => void navigate(linkProps(pages.newObject));
  useShortcut("n", newLabel, create, { when: canCreate });
  useCommand(canCreate ? { id: "new-object", label: newLabel, shortcut: "n", run: create } : undefined);

  const setColumns = (names: string[] | undefined) => {
    savePreferences({ columns: names });
    change({ columns: names }, { isReplacing: true });
  };
  const names = shown.map(({ property }) => property);
  const isFiltered = state.search.trim() !== "" || state.filters.length > 0;
  const clear = () => change({ search: "", filters: [] });
  const query = writeSearch(params).slice(1);
  const isEmpty = total === 0 && !failure && !rows.isStale;
  const hasCards = layout === "cards" || isNarrow;

  const shared: Omit<GridProps<Row>, "columns" | "titleColumn" | "onOpen"> = {
    label: name,
    question: JSON.stringify(question),
    total,
    rowAt: rows.rowAt,
    idOf,
    nameOf,
    markOf: (row) => (actions.gone.has(row.id) ? "gone" : chosen.changed.has(row.id) ? "changed" : undefined),
    isStale: rows.isStale,
    onRange: setRange,
    selecting: { selection: chosen.selection, onSelection: chosen.setSelection },
    loadedIds: chosen.loadedIds,
    actionsOf: actions.actionsOf,
    place,
    onLeave,
  };

  return (
    <Page
      title={name}
      breadcrumbs={pages.breadcrumbs.slice(0, 1)}
      isWide
      isBusy={total === undefined && !failure}
      status={
        <span role="status" aria-label={words.resultCount} className={css.count}>
          {total === undefined ? "" : words.objects(total)}
        </span>
      }
      actions={
        <>
          <Suspense>
            <CollectionMenu collection={collection} query={params} />
          </Suspense>
          {canCreate && (
            <LinkButton {...pages.newObject} variant="primary" icon={Plus}>
              {newLabel}
            </LinkButton>
          )}
        </>
      }
    >
      <Beside what={beside}>
        <div className={css.tools}>
          <div className={css.search}>
            <SearchBox value={state.search} onChange={(search) => change({ search }, { isReplacing: true })} />
          </div>
          <Button icon={ListFilter} onPress={() => setDialog("filter")}>
            {words.addFilter}
          </Button>
          <Suspense>
            {state.filters.length > 0 && (
              <FilterChips
                filters={state.filters}
                columns={columns}
                onRemove={(filter) => change({ filters: state.filters.filter((other) => other !== filter) })}
              />
            )}
          </Suspense>
          {isFiltered && !isEmpty && (
            <Button variant="quiet" onPress={clear}>
              {words.clearFilters}
            </Button>
          )}
          <div className={css.end}>
            <RadioGroup
              label={words.layout}
              isLabelHidden
              look="segments"
              isIconOnly
              value={layout}
              onChange={(next) => {
                savePreferences({ layout: next as Layout });
                change({ layout: next as Layout }, { isReplacing: true });
              }}
              options={[
                { value: "table", label: words.table, icon: Rows3 },
                { value: "cards", label: words.cards, icon: LayoutGrid },
              ]}
            />
            <Button
              icon={Columns3}
              className={css.short}
              data-tip={isNarrow ? words.columns : undefined}
              onPress={() => setDialog("columns")}
            >
              {words.columns}
            </Button>
            <Suspense fallback={<Button endIcon={ChevronDown}>{words.views}</Button>}>
              <ViewsMenu
                collection={collection}
                preferences={preferences}
                onPreferences={savePreferences}
                query={query}
                onView={(view) =>
                  void navigate({ to: ".", search: parseSearch(view), state: { keepFocus: true } } as never)
                }
              />
            </Suspense>
          </div>
        </div>
        <Suspense>{hasJobs && <BulkProgress collection={id} />}</Suspense>
        {failure && <Failed error={failure.error} onRetry={failure.retry} />}
        {isReady && !failure && !(isEmpty && hasCards) && (
          // An empty table has its head: it stays the table of that name.
          <div
            ref={area}
            className={isEmpty ? css.bare : css.list}
            style={{ blockSize: isEmpty ? bareHeight : height }}
          >
            {hasCards ? (
              <Suspense>
                <CardList
                  {...shared}
                  look={layout === "cards" ? "tiles" : "lines"}
                  render={(row, titleId) => (
                    <CardFace
                      row={row}
                      look={layout === "cards" ? "tiles" : "lines"}
                      titleId={titleId}
                      title={nameOf(row)}
                      href={rowHref(row)}
                      image={model.image}
                      columns={shown.filter(({ property }) => property !== titleProperty)}
                      onOpen={() => open(row)}
                    />
                  )}
                />
              </Suspense>
            ) : (
              <DataGrid
                {...shared}
                columns={model.gridColumns}
                titleColumn={titleProperty}
                onOpen={openObject}
                sort={state.sort}
                onSort={(property, isAdding) => change({ sort: nextSort(state.sort, property, isAdding) })}
                onSortBy={(property, isDescending) => change({ sort: [{ property, isDescending }] })}
                onDelete={chosen.count > 0 && can("delete", { objects: id }) ? chosen.askDelete : undefined}
                onMoveColumn={(from, to) => setColumns(moved(names, from, to))}
                onWidth={(column, width) => savePreferences({ widths: { ...preferences.widths, [column]: width } })}
                onHideColumn={(column) => setColumns(names.filter((one) => one !== column))}
              />
            )}
          </div>
        )}
        <Suspense>
          {isEmpty && (
            <EmptyState
              title={isFiltered ? words.noMatchTitle : words.emptyTitle(collection.labelPlural || words.anyObjects)}
              text={isFiltered ? words.noMatchText : words.emptyText(name)}
              action={
                isFiltered ? (
                  <Button variant="primary" onPress={clear}>
                    {words.clearFilters}
                  </Button>
                ) : (
                  canCreate && (
                    <LinkButton {...pages.newObject} icon={Plus}>
                      {common.makeFirst}
                    </LinkButton>
                  )
                )
              }
            />
          )}
        </Suspense>
        <div className={css.foot}>
          {chosen.count > 0 ? (
            <Suspense>
              <SelectionTools collection={collection} columns={columns} state={state} rows={rows} chosen={chosen} />
            </Suspense>
          ) : (
            total !== undefined && total > 0 && <RowsInView range={range} total={total} />
          )}
        </div>
      </Beside>
      <Suspense>
        {dialog === "filter" && (
          <FilterDialog
            collection={id}
            columns={columns}
            onClose={() => setDialog(undefined)}
            onApply={(filter: Filter) => {
              setDialog(undefined);
              change({ filters: withFilter(state.filters, filter) });
            }}
          />
        )}
        {dialog === "columns" && (
          <ColumnsDialog
            columns={columns}
            shown={names}
            titleProperty={titleProperty}
            onChange={setColumns}
            onReset={() => setColumns(undefined)}
            onClose={() => setDialog(undefined)}
          />
        )}
      </Suspense>
      {actions.dialogs}
      <Suspense>{hasFailures && <FailuresDialog />}</Suspense>
    </Page>
  );
}

function Beside({ what, children }: { what: ReactNode; children: ReactNode }) {
  const area = <div className={css.area}>{children}</div>;
  if (!what) return area;
  return (
    <div className={css.pair}>
      {area}
      <div className={css.beside}>{what}</div>
    </div>
  );
}

function idOf(row: Row): string {
  return row.id;
}

function RowsInView({ range, total }: { range: Range; total: number }) {
  const words = useWords(gridWords);
  const last = Math.min(total, range.last + 1);
  return <span className={css.rows}>{words.rows(Math.min(range.first + 1, last), last, total)}</span>;
}

/** What is in view: at first the row that was left, of each other question the top. */
function useRange(question: object | undefined, row: number): [Range, (range: Range) => void] {
  const [seen, setSeen] = useState<{ question: object | undefined; range: Range }>();
  const first = useRef(question);
  first.current ??= question;
  const isFirst = question === first.current;
  const range = useMemo(() => {
    if (seen && seen.question === question) return seen.range;
    return isFirst ? { first: row, last: row } : { first: 0, last: 0 };
  }, [seen, question, isFirst, row]);
  const set = useCallback((next: Range) => setSeen({ question, range: next }), [question]);
  return [range, set];
}
