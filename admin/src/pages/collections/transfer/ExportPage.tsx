// Export of a collection: format, which objects, which properties. The file goes from the server to the disk.

import type { AdminCollection } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Download, ListFilter } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { addressOf, ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { filterParams, withFilter } from "#grid/address.ts";
import { type Format, saveFile } from "#grid/bulk/export.ts";
import { offeredColumns } from "#grid/columns.ts";
import { FilterChips } from "#grid/filter/FilterChips.tsx";
import { useCrumbs } from "#pages/collections/crumbs.ts";
import { SearchBox } from "#pages/collections/table/SearchBox.tsx";
import { useTableState } from "#pages/collections/table/useTableState.ts";
import { formQuery } from "#session/forms.ts";
import { useCan, useCollection } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import layout from "#ui/layout.module.css";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Slab } from "#ui/Slab.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import { transferWords } from "#words/transfer.ts";
import css from "./transfer.module.css";

const FilterDialog = lazy(() =>
  import("#grid/filter/FilterDialog.tsx").then((part) => ({ default: part.FilterDialog })),
);

export function ExportPage() {
  const { collection: id = "" } = useParams({ strict: false });
  const collection = useCollection(id);
  const can = useCan();
  if (!collection || !can("read", { objects: id })) return <Page title={id} needs={false} />;
  return <Export key={id} collection={collection} />;
}

interface ReportField {
  name: string;
  label: string;
}

function Export({ collection }: { collection: AdminCollection }) {
  const { id, name } = collection;
  const words = useWords(transferWords);
  const ofGrid = useWords(gridWords);
  const navigate = useNavigate();
  const [state, change, params] = useTableState();
  const [isFiltering, setIsFiltering] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const path = { collection: id };
  const form = useQuery(formQuery(id));
  const columns = useMemo(() => (form.data ? offeredColumns(form.data, ofGrid) : []), [form.data, ofGrid]);

  const format: Format = params.format === "csv" ? "csv" : "json";
  const setFormat = (next: string) =>
    void navigate({ to: ".", search: { ...params, format: next }, replace: true, state: { keepFocus: true } } as never);
  const isReport = params.columns !== undefined;
  const chosen = state.columns ?? [];
  const fields = useQuery({
    queryKey: ["report-fields", id],
    queryFn: ({ signal }) => askData<ReportField[]>(routes.reportFields, { path, query: { format: "json" }, signal }),
    enabled: isReport,
  });
  const setColumns = (names: string[] | undefined) =>
    void navigate({
      to: ".",
      search: { ...params, columns: names?.join(",") },
      replace: true,
      state: { keepFocus: true },
    } as never);

  const search = state.search.trim();
  const query = { ...(search !== "" && { search }), ...filterParams(state.filters) };
  const count = useQuery({
    queryKey: ["objects", id, "export-count", query],
    queryFn: async ({ signal }) => {
      const { headers } = await ask(routes.query, { path, query: { ...query, include: "id", limit: 1 }, signal });
      return Number(headers.get("x-total-count"));
    },
  });
  const download = () => {
    if (isReport && chosen.length === 0) {
      setIsWarned(true);
      return;
    }
    const route = isReport ? reports[format] : exports[format];
    const asked = { ...query, ...(isReport && { fields: chosen.join(",") }) };
    saveFile(addressOf(route, { path, query: asked }), `${isReport ? "report" : "collection"}-${id}.${format}`);
  };
  const problem = form.error ?? fields.error ?? count.error;
  return (
    <Page title={words.exportTitle(name)} breadcrumbs={useCrumbs(collection)} isBusy={!form.data && !problem}>
      <div className={layout.page}>
        <Slab className={layout.slab}>
          <RadioGroup
            label={words.format}
            description={words.formatHelp}
            value={format}
            onChange={setFormat}
            options={[
              { value: "json", label: words.json },
              { value: "csv", label: words.csv },
            ]}
          />
          <section className={css.block} aria-label={words.which}>
            <h2 className={css.subtitle}>{words.which}</h2>
            <div className={css.line}>
              <div className={css.search}>
                <SearchBox value={state.search} onChange={(text) => change({ search: text }, { isReplacing: true })} />
              </div>
              <Button icon={ListFilter} onPress={() => setIsFiltering(true)}>
                {ofGrid.addFilter}
              </Button>
              <FilterChips
                filters={state.filters}
                columns={columns}
                onRemove={(filter) => change({ filters: state.filters.filter((other) => other !== filter) })}
              />
            </div>
            <p role="status" aria-label={words.matchCount} className={layout.quiet}>
              {count.data === undefined ? "" : words.matching(count.data)}
            </p>
          </section>
          <RadioGroup
            label={words.what}
            description={words.whatHelp}
            value={isReport ? "chosen" : "whole"}
            onChange={(next) => setColumns(next === "chosen" ? chosen : undefined)}
            options={[
              { value: "whole", label: words.whole },
              { value: "chosen", label: words.chosen },
            ]}
          />
          {isReport && fields.data && (
            <Fields fields={fields.data} chosen={chosen} onChange={setColumns} isWarned={isWarned} />
          )}
          {problem && (
            <Failed
              error={problem}
              onRetry={() => void Promise.all([form, fields, count].map((one) => one.error && one.refetch()))}
            />
          )}
          <div className={layout.row}>
            <Button variant="primary" icon={Download} onPress={download}>
              {words.download}
            </Button>
          </div>
        </Slab>
      </div>
      <Suspense>
        {isFiltering && (
          <FilterDialog
            collection={id}
            columns={columns}
            onApply={(filter) => {
              change({ filters: withFilter(state.filters, filter) });
              setIsFiltering(false);
            }}
            onClose={() => setIsFiltering(false)}
          />
        )}
      </Suspense>
    </Page>
  );
}

const exports = { json: routes.exportJson, csv: routes.exportCsv };
const reports = { json: routes.reportJson, csv: routes.reportCsv };

interface FieldsProps {
  fields: readonly ReportField[];
  chosen: readonly string[];
  onChange: (names: string[]) => void;
  isWarned: boolean;
}

/** The properties of objects, then those of the items of decks. */
function Fields({ fields, chosen, onChange, isWarned }: FieldsProps) {
  const words = useWords(transferWords);
  const own = fields.filter((field) => !field.name.includes("."));
  const ofDecks = fields.filter((field) => field.name.includes("."));
  const tick = (field: ReportField) => (
    <Checkbox
      key={field.name}
      label={field.name.includes(".") ? field.name : field.label}
      isSelected={chosen.includes(field.name)}
      onChange={(isSelected) =>
        onChange(isSelected ? [...chosen, field.name] : chosen.filter((name) => name !== field.name))
      }
    />
  );
  return (
    <>
      <fieldset className={css.ticks}>
        <legend className={css.legend}>{words.chosen}</legend>
        {own.map(tick)}
      </fieldset>
      {ofDecks.length > 0 && (
        <fieldset className={css.ticks}>
          <legend className={css.legend}>{words.ofDecks}</legend>
          {ofDecks.map(tick)}
        </fieldset>
      )}
      {isWarned && chosen.length === 0 && (
        <p role="alert" className={layout.bad}>
          {words.noneChosen}
        </p>
      )}
    </>
  );
}
