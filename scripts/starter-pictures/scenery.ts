// Parts of a drawn landscape as SVG: skies, ridges, water, trees, stones. The same seed draws the same lines.

import { mix, type Palette } from "./colours.ts";

export interface Frame {
  width: number;
  height: number;
}

export type Random = () => number;

/** Mulberry32: small, and the same on every machine. */
export function seeded(text: string): Random {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) as number), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const between = (random: Random, least: number, most: number): number => least + random() * (most - least);

const n = (value: number) => String(Math.round(value * 10) / 10);
export const points = (list: readonly (readonly [number, number])[]): string =>
  list.map(([x, y]) => `${n(x)},${n(y)}`).join(" ");

let gradients = 0;
/** A fill from top to bottom, as a definition and its name. */
export function gradient(stops: readonly string[], { from = 0, to = 1 } = {}): { defs: string; fill: string } {
  gradients += 1;
  const id = `g${gradients}`;
  const list = stops
    .map((colour, at) => `<stop offset="${n((at / Math.max(1, stops.length - 1)) * 100)}%" stop-color="${colour}"/>`)
    .join("");
  return {
    defs: `<linearGradient id="${id}" x1="0" x2="0" y1="${from}" y2="${to}">${list}</linearGradient>`,
    fill: `url(#${id})`,
  };
}

export function sky({ width, height }: Frame, palette: Palette): string {
  const { defs, fill } = gradient(palette.sky, { to: 0.8 });
  return `${defs}<rect width="${width}" height="${height}" fill="${fill}"/>`;
}

/** With two rings of light around it. */
export function disc(x: number, y: number, radius: number, { disc: colour }: Palette): string {
  const ring = (size: number, opacity: number) =>
    `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * size)}" fill="${colour}" opacity="${opacity}"/>`;
  return ring(2.7, 0.13) + ring(1.75, 0.2) + ring(1, 1);
}

export function stars({ width, height }: Frame, random: Random, { disc: colour }: Palette): string {
  return Array.from({ length: 70 }, () => {
    const size = between(random, 0.8, 2.4);
    const place = `cx="${n(random() * width)}" cy="${n(random() ** 1.4 * height * 0.55)}"`;
    return `<circle ${place} r="${n(size)}" fill="${colour}" opacity="${n(between(random, 0.4, 1))}"/>`;
  }).join("");
}

export interface Ridge {
  /** Of its middle, as a share of the height. */
  level: number;
  /** How far it rises and falls, as a share of the height. */
  relief: number;
  /** 0: rolling; 1: jagged. */
  rough: number;
  /** Whether it rises to the left or the right, as a share of the height. */
  tilt?: number;
}

/** Heights along the width: halved again and again, each half moved a little. */
export function ridgeLine({ width, height }: Frame, random: Random, ridge: Ridge): [number, number][] {
  const { level, relief, rough, tilt = 0 } = ridge;
  let line = [between(random, -1, 1), between(random, -0.6, 0.6), between(random, -1, 1)];
  // Rolling hills are few curves; peaks are halved until their stones show.
  const rounds = rough > 0.3 ? 7 : 3;
  let swing = 0.9;
  for (let round = 0; round < rounds; round += 1) {
    line = line.flatMap((value, at) => {
      const next = line[at + 1];
      if (next === undefined) return [value];
      return [value, (value + next) / 2 + between(random, -swing, swing)];
    });
    swing *= 0.42 + rough * 0.14;
  }
  return line.map((value, at) => {
    const along = at / (line.length - 1);
    return [along * width, height * (level - value * relief * 0.5 + tilt * (along - 0.5))];
  });
}

/** Straight between points where it is rough, curved where it rolls. */
export function ridgePath(line: readonly (readonly [number, number])[], { height }: Frame, isRough: boolean): string {
  const [first = [0, 0], ...rest] = line;
  let path = `M${n(first[0])} ${n(first[1])}`;
  if (isRough) path += rest.map(([x, y]) => `L${n(x)} ${n(y)}`).join("");
  else
    rest.forEach(([x, y], at) => {
      const [px, py] = (at === 0 ? first : rest[at - 1]) as [number, number];
      path += `C${n((px + x) / 2)} ${n(py)} ${n((px + x) / 2)} ${n(y)} ${n(x)} ${n(y)}`;
    });
  const last = line.at(-1) ?? [0, 0];
  return `${path}L${n(last[0])} ${height + 2}L${n(first[0])} ${height + 2}Z`;
}

export function heightAt(line: readonly (readonly [number, number])[], x: number): number {
  const at = Math.max(
    1,
    line.findIndex(([px]) => px >= x),
  );
  const [[ax, ay], [bx, by]] = [line[at - 1], line[at]] as [[number, number], [number, number]];
  // Eased, as the curves of `ridgePath` are.
  const share = (x - ax) / (bx - ax || 1);
  return ay + (by - ay) * (share * share * (3 - 2 * share));
}

/** Firs along a line, smaller where the line is farther away. */
export function firs(
  line: readonly (readonly [number, number])[],
  random: Random,
  options: { colour: string; size: number; count: number; from: number; to: number },
): string {
  const { colour, size, count, from, to } = options;
  const trees = Array.from({ length: count }, () => {
    // Two throws make the edges of a wood thin out.
    const x = from + ((random() + random()) / 2) * (to - from);
    const tall = size * between(random, 0.55, 1.15);
    const y = heightAt(line, x) + size * 0.12;
    const half = tall * 0.22;
    const tier = (top: number, wide: number) =>
      `M${n(x)} ${n(y - tall * top)}L${n(x + half * wide)} ${n(y - tall * (top - 0.46))}L${n(x - half * wide)} ${n(y - tall * (top - 0.46))}Z`;
    return `${tier(1, 0.62)}${tier(0.76, 0.84)}${tier(0.46, 1.05)}`;
  });
  return `<path d="${trees.join("")}" fill="${colour}"/>`;
}

/** Stones on one another, smaller to the top. Returns nothing below `base`. */
export function cairn(
  x: number,
  base: number,
  size: number,
  { random, dark, light, cap }: { random: Random; dark: string; light: string; cap?: string },
): string {
  const shares = [0.27, 0.2, 0.17, 0.13, 0.12, 0.08];
  let y = base;
  let drawn = "";
  shares.forEach((share, at) => {
    const tall = size * share;
    const wide = size * (0.74 - at * 0.115) * between(random, 0.92, 1.08);
    const shift = between(random, -0.045, 0.045) * size;
    const left = x + shift - wide / 2;
    const turn = between(random, -4, 4);
    const top = y - tall;
    const fill = cap && at === shares.length - 1 ? cap : mix(dark, light, at * 0.05);
    const shape = (lift: number, inset: number) =>
      `M${n(left + inset)} ${n(y - tall * 0.36)}Q${n(left + inset)} ${n(top + lift)} ${n(left + wide * 0.34)} ${n(top + lift)}L${n(left + wide * 0.7)} ${n(top + lift * 1.4)}Q${n(left + wide - inset)} ${n(top + tall * 0.12 + lift)} ${n(left + wide - inset)} ${n(y - tall * 0.44)}Q${n(left + wide - inset)} ${n(y)} ${n(left + wide * 0.74)} ${n(y)}L${n(left + wide * 0.2)} ${n(y)}Q${n(left + inset)} ${n(y)} ${n(left + inset)} ${n(y - tall * 0.36)}Z`;
    drawn += `<g transform="rotate(${n(turn)} ${n(x)} ${n(y)})"><path d="${shape(0, 0)}" fill="${fill}"/>`;
    drawn += `<path d="M${n(left + wide * 0.16)} ${n(top + tall * 0.3)}Q${n(left + wide * 0.3)} ${n(top + tall * 0.12)} ${n(left + wide * 0.66)} ${n(top + tall * 0.14)}Q${n(left + wide * 0.4)} ${n(top + tall * 0.26)} ${n(left + wide * 0.16)} ${n(top + tall * 0.3)}Z" fill="${light}" opacity="0.22"/></g>`;
    y = top + tall * 0.05;
  });
  return drawn;
}

/** A standing stone. */
export function menhir(x: number, base: number, tall: number, { random, dark, light }: StoneLook): string {
  const wide = tall * between(random, 0.3, 0.42);
  const lean = between(random, -0.1, 0.1) * tall;
  const left = x - wide / 2;
  const outline = `M${n(left)} ${n(base + 6)}L${n(left + wide * 0.08 + lean * 0.6)} ${n(base - tall * 0.62)}Q${n(left + wide * 0.14 + lean)} ${n(base - tall)} ${n(left + wide * 0.46 + lean)} ${n(base - tall)}Q${n(left + wide * 0.86 + lean)} ${n(base - tall * 0.95)} ${n(left + wide * 0.92 + lean * 0.7)} ${n(base - tall * 0.55)}L${n(left + wide)} ${n(base + 6)}Z`;
  const shine = `M${n(left + wide * 0.1 + lean * 0.6)} ${n(base - tall * 0.62)}Q${n(left + wide * 0.16 + lean)} ${n(base - tall * 0.97)} ${n(left + wide * 0.44 + lean)} ${n(base - tall)}L${n(left + wide * 0.36 + lean * 0.5)} ${n(base - tall * 0.5)}L${n(left + wide * 0.3)} ${n(base + 6)}L${n(left)} ${n(base + 6)}Z`;
  return `<path d="${outline}" fill="${dark}"/><path d="${shine}" fill="${light}" opacity="0.28"/>`;
}

export interface StoneLook {
  random: Random;
  dark: string;
  light: string;
}

export function birds(x: number, y: number, size: number, colour: string, random: Random): string {
  const wings = Array.from({ length: 5 }, (_, at) => {
    const bx = x + at * size * between(random, 1.2, 1.9);
    const by = y + between(random, -1.2, 1.2) * size;
    const s = size * between(random, 0.6, 1);
    return `M${n(bx - s)} ${n(by - s * 0.35)}Q${n(bx - s * 0.4)} ${n(by - s * 0.5)} ${n(bx)} ${n(by)}Q${n(bx + s * 0.4)} ${n(by - s * 0.5)} ${n(bx + s)} ${n(by - s * 0.3)}`;
  }).join("");
  return `<path d="${wings}" fill="none" stroke="${colour}" stroke-width="${n(size * 0.16)}" stroke-linecap="round"/>`;
}

export { n as round };
