// Metrics of a process as prom-client returns them, and their sum over several processes. The library is loaded with the
// first scrape: most installations have none, and it is large.

import type * as PromClient from "prom-client";
import { lazily } from "#base/lazy.ts";
import { addUpSeries, type RequestSeries, writeSeries } from "./request-series.ts";

export const promClient = lazily<typeof PromClient>("prom-client");

export interface MetricsText {
  type: string;
  text: AsyncIterable<string>;
}

/** Of a process, or the sum of several. */
export interface Figures {
  requests: RequestSeries[];
  others: OtherFigures;
}

/** As prom-client returns them. */
export type OtherFigures = Awaited<ReturnType<PromClient.Registry["getMetricsAsJSON"]>>;

/** Of one registry, without NaN (no measurement yet), which cannot be sent to another process. */
export async function readFigures(registry: PromClient.Registry): Promise<OtherFigures> {
  const figures = await registry.getMetricsAsJSON();
  return figures.map((figure) => ({ ...figure, values: figure.values.filter(({ value }) => Number.isFinite(value)) }));
}

function addUp(parts: readonly OtherFigures[]): PromClient.Registry {
  return promClient().AggregatorRegistry.aggregate(parts as never) as unknown as PromClient.Registry;
}

export async function sumFigures(parts: readonly Figures[]): Promise<Figures> {
  return {
    requests: await addUpSeries(parts.map(({ requests }) => requests)),
    others: await addUp(parts.map(({ others }) => others)).getMetricsAsJSON(),
  };
}

/** Of figures that were added up. */
export const renderSum = ({ requests, others }: Figures): Promise<MetricsText> => render(addUp([others]), requests);

/** All figures are of one moment: the text is written afterwards, in turns. */
export async function render(registry: PromClient.Registry, requests: readonly RequestSeries[]): Promise<MetricsText> {
  const others = await registry.metrics();
  async function* write(): AsyncGenerator<string> {
    yield `${others}\n`;
    yield* writeSeries(requests);
  }
  return { type: registry.contentType, text: write() };
}
