// Metrics of a process as prom-client returns them, and their sum over several processes. The library is loaded with the
// first scrape: most installations have none, and it is large.

import type * as PromClient from "prom-client";
import { lazily } from "#base/lazy.ts";

export const promClient = lazily<typeof PromClient>("prom-client");

export interface MetricsText {
  type: string;
  text: string;
}

/** As prom-client returns them. */
export type Figures = Awaited<ReturnType<PromClient.Registry["getMetricsAsJSON"]>>;

/** Of one registry, without NaN (no measurement yet), which cannot be sent to another process. */
export async function readFigures(registry: PromClient.Registry): Promise<Figures> {
  const figures = await registry.getMetricsAsJSON();
  return figures.map((figure) => ({ ...figure, values: figure.values.filter(({ value }) => Number.isFinite(value)) }));
}

function addUp(parts: readonly Figures[]): PromClient.Registry {
  return promClient().AggregatorRegistry.aggregate(parts as never) as unknown as PromClient.Registry;
}

export async function sumFigures(parts: readonly Figures[]): Promise<Figures> {
  return addUp(parts).getMetricsAsJSON();
}

export async function renderSum(parts: readonly Figures[]): Promise<MetricsText> {
  const sum = addUp(parts);
  return { type: sum.contentType, text: await sum.metrics() };
}
