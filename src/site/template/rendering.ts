// The state of one rendering: what it may read, what it has used up, and where it is. Tags and filters find it in their context.

import { randomUUID } from "node:crypto";
import type { Context as LiquidContext, Template } from "liquidjs";
import type { PageRequest, TemplateWarning } from "#site/pages/page-request.ts";
import type { WayStep } from "./errors.ts";
import type { SiteReader } from "./reader.ts";
import type { PageRecord, Recorder } from "./recorder.ts";
import type { PageValues } from "./render-page.ts";
import type { ParsedTemplate, TemplateSource } from "./template-source.ts";

export const maxQueries = 100;
export const maxObjects = 10_000;
const maxOutput = 5_000_000;
/** Characters and elements that filters make, in all and at a time. */
const maxMade = 20_000_000;
const maxMadeAtOnce = 1_000_000;
export const maxDepth = 20;
const maxWarnings = 50;

/** What `site` shows, and what dates and numbers follow. */
export interface SiteFacts {
  name: string;
  /** Without a slash at the end. */
  url: string;
  locale: string;
  locales: readonly string[];
  timezone: string;
  environment: string;
  version: string;
  /** Hosts of players that may be embedded. */
  iframeHosts: readonly string[];
}

export interface BlockFrame {
  templates: Template[];
}

export interface Rendering {
  readonly values: PageValues;
  readonly request: PageRequest;
  readonly recorder: Recorder;
  readonly reader: SiteReader;
  readonly site: SiteFacts;
  readonly templates: TemplateSource;
  /** Those that this rendering has loaded, by id. */
  readonly partials: Map<string, ParsedTemplate>;
  readonly isDevelopment: boolean;
  /** The text is HTML or XML: values are escaped. */
  readonly isMarkup: boolean;
  /** Inside of a script or style: only JSON is printed. */
  inCode: number;
  /** Blocks of pages and layouts further in, by name; the innermost first. */
  readonly blocks: Map<string, BlockFrame[]>;
  /** Blocks are kept for the layout instead of printed. */
  isStoring: boolean;
  readonly way: WayStep[];
  readonly headers: Record<string, string>;
  readonly scripts: Set<string>;
  readonly styles: Set<string>;
  readonly warnings: TemplateWarning[];
  /** In development: what is rendered now, for the places of warnings. */
  at?: { file?: string | undefined; getPosition(): number[] } | undefined;
  /** Parameters of the query string that were read so far. */
  readonly parameters: Map<string, string | undefined>;
  /** Absent: no fragment is kept. */
  readonly fragments?: FragmentStore | undefined;
  /** Calls a filter of an extension; absent where there are none. */
  readonly addedFilters?: AddedFilters | undefined;
  /** Marks in the text, and what stands in their place when the page is done. */
  readonly later: Map<string, () => string>;
  readonly used: { queries: number; objects: number; output: number; made: number };
}

export type AddedFilters = (name: string, values: readonly unknown[], rendering: Rendering) => unknown;

/** A fragment, and what it adds to its page. */
export interface FragmentText {
  text: string;
  headers: Readonly<Record<string, string>>;
  scripts: readonly string[];
  styles: readonly string[];
  /** Names of the page that it has read, with their plain values. */
  names: readonly (readonly [name: string, value: string])[];
  record?: PageRecord;
}

export interface FragmentStore {
  begin(): { recorder: Recorder; finish(): PageRecord };
  /** One that a rendering would make now. `plainOf`: the plain value of a name of the page. */
  find(key: string, plainOf: (name: string) => string | undefined): Promise<FragmentText | undefined>;
  keep(key: string, made: FragmentText, record: PageRecord): void;
}

const key = Symbol("rendering");

export function keepRendering(globals: object, rendering: Rendering): void {
  Object.defineProperty(globals, key, { value: rendering });
}

export function renderingOf(context: LiquidContext): Rendering {
  return (context.globals as unknown as Record<symbol, Rendering>)[key] as Rendering;
}

export function countQuery({ used }: Rendering): void {
  used.queries += 1;
  if (used.queries > maxQueries) throw new Error(`A page may ask at most ${maxQueries} queries`);
}

export function countObjects({ used }: Rendering, count: number): void {
  used.objects += count;
  if (used.objects > maxObjects) throw new Error(`A page may take at most ${maxObjects} objects`);
}

export function countOutput({ used }: Rendering, length: number): void {
  used.output += length;
  if (used.output > maxOutput) throw new Error(`A page may have at most ${maxOutput} characters`);
}

/** Before it is made. */
export function countMade({ used }: Rendering, count: number): void {
  if (!(count > 0)) return;
  used.made += count;
  if (count > maxMadeAtOnce) throw new Error(`A filter may make at most ${maxMadeAtOnce} characters or elements`);
  if (used.made > maxMade) throw new Error(`A page's filters may make at most ${maxMade} characters and elements`);
}

export function warn({ warnings, isDevelopment, at, way }: Rendering, text: string): void {
  if (!isDevelopment || warnings.length >= maxWarnings) return;
  const place = { template: at?.file || (way.at(-1)?.template ?? ""), line: at?.getPosition()[0] ?? 0 };
  if (warnings.some((one) => one.text === text && one.line === place.line && one.template === place.template)) return;
  warnings.push({ text, ...place });
}

/** What the site may not show is a mistake while the site is built, and nothing for visitors. */
export function refuse({ isDevelopment, reader, way, request }: Rendering, message: string): void {
  if (isDevelopment) throw new Error(message);
  reader.refuse(message, { template: way.at(-1)?.template ?? "", request });
}

/** Text that depends on the whole page, such as its canonical address. */
export function laterText({ later }: Rendering, make: () => string): string {
  // Nothing that is printed can be it.
  const mark = `{{later ${randomUUID()}}}`;
  later.set(mark, make);
  return mark;
}

/** What is made inside; pops only after success, so that a mistake knows the way to it. */
export function* inTemplate(rendering: Rendering, step: WayStep, work: unknown): Generator<unknown, void> {
  const { way } = rendering;
  if (way.length >= maxDepth) throw new Error(`Templates may use each other to a depth of ${maxDepth}`);
  way.push(step);
  yield work;
  way.pop();
}
