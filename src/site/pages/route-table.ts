// Finds the routes that fit a path, the most specific first. Pure: a map for routes without placeholders, a tree by segments for
// the others. Whether the object of a route exists is asked by resolve.ts, one route after the other.

import { type Pattern, PatternTooExpensive, resetPatternBudget } from "#base/pattern.ts";
import { compileWhole, isStatic, type Placeholder, type RoutePattern, type Segment } from "./route-pattern.ts";

/** Something that answers at a route. */
export interface Routed {
  id: string;
  pattern: RoutePattern;
  /** Pages come before addresses of objects. */
  kind: "page" | "object";
}

export interface Candidate<R extends Routed> {
  route: R;
  params: Record<string, string>;
}

export interface RouteTable<R extends Routed> {
  /** By id where several have the same route. */
  findStatic(segments: readonly string[]): readonly R[];
  /** Routes with placeholders, in order. */
  findOpen(segments: readonly string[]): readonly Candidate<R>[];
  /** Routes that take the rest of the path. */
  findRest(segments: readonly string[]): readonly Candidate<R>[];
}

interface Leaf<R extends Routed> {
  route: R;
  /** Place in the order of all routes. */
  rank: number;
}

interface Node<R extends Routed> {
  literals: Map<string, Node<R>>;
  /** Any segment, or one with text around its placeholder. */
  open: { before: string; after: string; node: Node<R> }[];
  leaves: Leaf<R>[];
  rests: Leaf<R>[];
}

/** Deeper paths fit only routes that take the rest. */
const maxDepth = 50;

export interface TableBuilder<R extends Routed> {
  add(route: R): void;
  finish(): RouteTable<R>;
}

/** In two steps, so that the caller can pause between routes. */
export function buildTable<R extends Routed>(): TableBuilder<R> {
  const fixed = new Map<string, R[]>();
  const root = emptyNode<R>();
  const leaves: Leaf<R>[] = [];
  return {
    add(route) {
      if (isStatic(route.pattern)) {
        const { pattern } = route;
        const text = pattern.text ?? keyOf(pattern.segments.map((segment) => String(segment[0] ?? "")));
        const key = text.normalize("NFC");
        const others = fixed.get(key);
        if (others) others.push(route);
        else fixed.set(key, [route]);
        return;
      }
      const leaf = { route, rank: 0 };
      leaves.push(leaf);
      place(root, leaf);
    },
    finish() {
      const marks = new Map(leaves.map((leaf) => [leaf, measure(leaf.route)]));
      leaves.sort((a, b) => compare(marks.get(a) as Measure, marks.get(b) as Measure));
      for (const [rank, leaf] of leaves.entries()) leaf.rank = rank;
      for (const list of fixed.values()) list.sort((a, b) => (a.id < b.id ? -1 : 1));
      return {
        findStatic: (segments) => fixed.get(keyOf(segments)) ?? [],
        findOpen: (segments) => matching(root, segments, "leaves"),
        findRest: (segments) => matching(root, segments, "rests"),
      };
    },
  };
}

function keyOf(segments: readonly string[]): string {
  return segments.join("/");
}

function emptyNode<R extends Routed>(): Node<R> {
  return { literals: new Map(), open: [], leaves: [], rests: [] };
}

function place<R extends Routed>(root: Node<R>, leaf: Leaf<R>): void {
  const { segments, rest } = leaf.route.pattern;
  let node = root;
  for (const segment of segments) node = childFor(node, segment);
  (rest === undefined ? node.leaves : node.rests).push(leaf);
}

function childFor<R extends Routed>(node: Node<R>, segment: Segment): Node<R> {
  const [first] = segment;
  if (segment.length === 1 && typeof first === "string") {
    const name = first.normalize("NFC");
    const known = node.literals.get(name) ?? emptyNode<R>();
    node.literals.set(name, known);
    return known;
  }
  const { before, after } = edgesOf(segment);
  const known = node.open.find((open) => open.before === before && open.after === after);
  if (known) return known.node;
  const made = { before, after, node: emptyNode<R>() };
  node.open.push(made);
  return made.node;
}

/** The texts around the placeholders of a segment. */
function edgesOf(segment: Segment): { before: string; after: string } {
  const [first] = segment;
  const last = segment.at(-1);
  return {
    before: typeof first === "string" ? first.normalize("NFC") : "",
    after: typeof last === "string" ? last.normalize("NFC") : "",
  };
}

interface Measure {
  literalSegments: number;
  literalText: number;
  patterns: number;
  isObject: number;
  id: string;
}

function measure({ pattern: { segments }, kind, id }: Routed): Measure {
  const parts = segments.flat();
  return {
    literalSegments: segments.filter((segment) => segment.every((part) => typeof part === "string")).length,
    literalText: parts.reduce((length, part) => length + (typeof part === "string" ? part.length : 0), 0),
    patterns: parts.filter((part) => typeof part !== "string" && part.regex !== undefined).length,
    isObject: kind === "object" ? 1 : 0,
    id,
  };
}

/** More literal segments, longer literal text, fewer patterns, pages before objects, then by id. */
function compare(a: Measure, b: Measure): number {
  return (
    b.literalSegments - a.literalSegments ||
    b.literalText - a.literalText ||
    a.patterns - b.patterns ||
    a.isObject - b.isObject ||
    (a.id < b.id ? -1 : 1)
  );
}

const none: readonly never[] = [];

function matching<R extends Routed>(
  root: Node<R>,
  segments: readonly string[],
  wanted: "leaves" | "rests",
): readonly Candidate<R>[] {
  const found: Leaf<R>[] = [];
  gather(root, segments, 0, wanted, found);
  if (found.length === 0) return none;
  if (found.length > 1) found.sort((a, b) => a.rank - b.rank);
  resetPatternBudget();
  const candidates: Candidate<R>[] = [];
  for (const { route } of found) {
    const params = paramsOf(route.pattern, segments);
    if (params) candidates.push({ route, params });
  }
  return candidates;
}

function gather<R extends Routed>(
  node: Node<R>,
  segments: readonly string[],
  at: number,
  wanted: "leaves" | "rests",
  found: Leaf<R>[],
): void {
  if (wanted === "rests") found.push(...node.rests);
  if (at === segments.length) {
    if (wanted === "leaves") found.push(...node.leaves);
    return;
  }
  if (at === maxDepth) return;
  const segment = segments[at] as string;
  const literal = node.literals.get(segment);
  if (literal) gather(literal, segments, at + 1, wanted, found);
  for (const { before, after, node: next } of node.open) {
    const fits = segment.length > before.length + after.length && segment.startsWith(before) && segment.endsWith(after);
    if (fits) gather(next, segments, at + 1, wanted, found);
  }
}

function paramsOf(
  { segments: pattern, rest, needsRest }: RoutePattern,
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = Object.create(null);
  for (const [at, segment] of pattern.entries()) {
    const placeholder = segment.find((part): part is Placeholder => typeof part !== "string");
    if (!placeholder) continue;
    const { before, after } = edgesOf(segment);
    const text = segments[at] as string;
    const value = text.slice(before.length, text.length - after.length);
    if (placeholder.regex !== undefined && !fits(compileWhole(placeholder.regex), value)) return undefined;
    params[placeholder.name] = value;
  }
  if (rest === undefined) return params;
  const remaining = segments.slice(pattern.length).join("/");
  if (needsRest && remaining === "") return undefined;
  params[rest] = remaining;
  return params;
}

/** A path that is too long for the patterns of the site fits none of them. */
function fits(pattern: Pattern, value: string): boolean {
  try {
    return pattern.test(value);
  } catch (error) {
    if (error instanceof PatternTooExpensive) return false;
    throw error;
  }
}
