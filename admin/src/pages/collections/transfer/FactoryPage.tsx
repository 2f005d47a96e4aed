// Fills a collection with made-up objects: a rule for each property, a sample, and how many.

import type { AdminCollection, FormDescription } from "@contract/admin.ts";
import { factoryRules } from "@contract/factory.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { WandSparkles } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { routes } from "#api/routes.ts";
import { shownProperties } from "#fields/property.ts";
import { useCrumbs } from "#pages/collections/crumbs.ts";
import { formQuery } from "#session/forms.ts";
import { useCan, useCollection } from "#session/start.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { NumberInput } from "#ui/NumberInput.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Select } from "#ui/Select.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { transferWords } from "#words/transfer.ts";
import { ImportResultView } from "./ImportResultView.tsx";
import css from "./transfer.module.css";
import { useRuns } from "./use-import.ts";

/** The server makes no more at once. */
const most = 10_000;
const options = factoryRules.map((rule) => ({ value: rule, label: rule }));

export function FactoryPage() {
  const { collection: id = "" } = useParams({ strict: false });
  const collection = useCollection(id);
  const can = useCan();
  if (!collection || !can("create", { objects: id })) return <Page title={id} needs={false} />;
  return <Loaded key={id} collection={collection} />;
}

function Loaded({ collection }: { collection: AdminCollection }) {
  const words = useWords(transferWords);
  const form = useQuery(formQuery(collection.id));
  return (
    <Page
      title={words.factoryTitle(collection.name)}
      breadcrumbs={useCrumbs(collection)}
      isBusy={!form.data && !form.error}
    >
      {form.error && <Failed error={form.error} onRetry={() => void form.refetch()} />}
      {form.data && <Factory collection={collection} form={form.data} />}
    </Page>
  );
}

function Factory({ collection, form }: { collection: AdminCollection; form: FormDescription }) {
  const { id, name } = collection;
  const words = useWords(transferWords);
  const common = useWords(commonWords);
  const [rules, setRules] = useState<Readonly<Record<string, string>>>({});
  const [count, setCount] = useState("10");
  // The sample shows the objects that are then made.
  const [seed, setSeed] = useState(newSeed);
  const [isWarned, setIsWarned] = useState(false);
  const runs = useRuns("factory", id);
  const { isRunning, isDry, result, error } = runs;
  const properties = shownProperties(form.schema, true).filter(
    ({ type, lock }) => !filed.has(type) && lock === undefined,
  );
  const isRight = /^\d+$/.test(count.trim()) && Number(count) >= 1 && Number(count) <= most;
  const details = error instanceof ApiError ? error.details : {};
  const failure = error ? errorText(error, common) : undefined;

  const start = (isTrial: boolean) => {
    setIsWarned(true);
    if (!isRight) return;
    runs.clear();
    runs.start({
      route: routes.fillCollection,
      query: { fqty: Number(count), seed },
      send: { body: Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== "")) },
      isDry: isTrial,
      onStored: ({ created }) => {
        setSeed(newSeed());
        toast.good(words.filledToast(created, name));
      },
      onFailed: () => undefined,
    });
  };
  return (
    <div className={layout.page}>
      <p className={layout.intro}>{words.factoryHelp}</p>
      <Slab className={layout.slab}>
        <section className={css.block} aria-label={words.rulesTitle}>
          <h2 className={css.subtitle}>{words.rulesTitle}</h2>
          <div className={css.rules}>
            {properties.map((property) => (
              <Select
                key={property.name}
                label={property.label}
                options={options}
                value={rules[property.name] ?? ""}
                onChange={(rule) => {
                  setRules((before) => ({ ...before, [property.name]: rule }));
                  runs.clear();
                }}
                allowsCustomValue
                isClearable
                placeholder={schemaRule(property.definition.factory) ?? words.rulePlaceholder}
                error={details[`factory.0.data.${property.name}`]?.join(". ")}
              />
            ))}
          </div>
        </section>
        <div className={css.number}>
          <NumberInput
            label={words.count}
            description={words.countHelp(most)}
            value={count}
            onChange={setCount}
            min={1}
            max={most}
            step={1}
            error={isWarned && !isRight ? words.badCount(most) : undefined}
          />
        </div>
        <div className={layout.row}>
          <Button isPending={isRunning && isDry} isDisabled={isRunning && !isDry} onPress={() => start(true)}>
            {words.sample}
          </Button>
          <Button
            variant="primary"
            icon={WandSparkles}
            isPending={isRunning && !isDry}
            isDisabled={isRunning && isDry}
            onPress={() => start(false)}
          >
            {words.fill}
          </Button>
        </div>
        {isRunning && !isDry && <Progress label={words.filling} />}
      </Slab>
      {failure && (
        <div role="alert">
          <Notice tone="bad">{[failure.text, ...Object.values(details).flat()].join(" ")}</Notice>
        </div>
      )}
      {result && (
        <ImportResultView collection={id} result={result} text={result.dryRun ? words.sampled : words.filled} />
      )}
    </div>
  );
}

/** No files are made up. */
const filed: ReadonlySet<string> = new Set(["image", "gallery", "file", "depot", "card", "deck"]);

function schemaRule(rule: unknown): string | undefined {
  return typeof rule === "string" && rule !== "" ? rule : undefined;
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
