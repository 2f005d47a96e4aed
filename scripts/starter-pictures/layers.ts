// Layers of a drawn landscape: a hill, water, a way, a hut, snow. Each is SVG; scenes put them one in front of another.

import { type Light, mix, type Palette } from "./colours.ts";
import {
  between,
  disc,
  type Frame,
  firs,
  gradient,
  heightAt,
  type Random,
  type Ridge,
  ridgeLine,
  ridgePath,
  round,
  sky,
  stars,
} from "./scenery.ts";

export interface Work {
  frame: Frame;
  palette: Palette;
  random: Random;
  light: Light;
}

type Line = [number, number][];

/** One hill; its foot is paler, as if mist lay in the valley before it. */
export function hill(
  { frame, palette, random }: Work,
  depth: number,
  ridge: Ridge,
): { line: Line; drawn: string; colour: string } {
  const line = ridgeLine(frame, random, ridge);
  const colour = mix(palette.far, palette.near, depth);
  const foot = mix(colour, palette.sky[2], 0.5 * (1 - depth) ** 0.8);
  const { defs, fill } = gradient([colour, foot], { to: 0.75 });
  return { line, colour, drawn: `${defs}<path d="${ridgePath(line, frame, ridge.rough > 0.3)}" fill="${fill}"/>` };
}

export function backdrop(work: Work, { x = 0.7, y = 0.3, size = 0.055 } = {}): string {
  const { frame, palette, random, light } = work;
  const { width, height } = frame;
  const hasDisc = light !== "rain";
  const night = light === "night" ? stars(frame, random, palette) : "";
  return (
    sky(frame, palette) +
    night +
    (hasDisc ? disc(width * x, height * y, height * size * (light === "night" ? 0.8 : 1.15), palette) : "") +
    (light === "rain" || light === "winter" ? clouds(work) : "")
  );
}

export function clouds({ frame, palette, random }: Work): string {
  const { width, height } = frame;
  return Array.from({ length: 4 }, (_, at) => {
    const [x, y] = [between(random, 0, 0.85) * width, height * (0.1 + at * 0.07)];
    const wide = between(random, 0.18, 0.36) * width;
    const tall = height * 0.022;
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${round(tall)}" rx="${round(tall / 2)}" fill="${palette.pale}" opacity="0.5"/>`;
  }).join("");
}

/** Pale faces on the sunny side of a jagged ridge. */
export function snow({ frame, palette, random }: Work, line: Line): string {
  const { height } = frame;
  const top = Math.min(...line.map(([, y]) => y));
  const low = top + height * 0.09;
  const caps: string[] = [];
  let run: Line = [];
  for (const point of [...line, [0, height] as [number, number]]) {
    if (point[1] < low) run.push(point);
    else {
      if (run.length > 3) {
        const [first, last] = [run[0], run.at(-1)] as [[number, number], [number, number]];
        const steps = 7;
        const edge = Array.from({ length: steps - 1 }, (_, at) => {
          const share = (at + 1) / steps;
          const x = last[0] + (first[0] - last[0]) * share;
          return `L${round(x)} ${round(heightAt(line, x) + (at % 2 === 0 ? 0.045 : 0.018) * height * between(random, 0.6, 1.2))}`;
        });
        caps.push(`M${run.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}${edge.join("")}Z`);
      }
      run = [];
    }
  }
  return `<path d="${caps.join("")}" fill="${palette.pale}" opacity="0.85"/>`;
}

/** The nearest ground, with grass along its edge. */
export function foreground(work: Work, ridge: Ridge): { line: Line; drawn: string } {
  const { palette, random, frame } = work;
  const line = ridgeLine(frame, random, ridge);
  const blades = Array.from({ length: 90 }, () => {
    const x = random() * frame.width;
    const y = heightAt(line, x) + 3;
    const tall = between(random, 0.006, 0.02) * frame.height;
    const lean = between(random, -0.5, 0.8) * tall;
    return `M${round(x - 2)} ${round(y)}L${round(x + lean)} ${round(y - tall)}L${round(x + 2)} ${round(y)}Z`;
  }).join("");
  return { line, drawn: `<path d="${ridgePath(line, frame, false)}${blades}" fill="${palette.near}"/>` };
}

/** A way that runs into the picture, from the bottom edge to a point. */
export function way({ frame, palette }: Work, { x, y }: { x: number; y: number }, from: number): string {
  const { width, height } = frame;
  const [sx, ex, ey] = [from * width, x * width, y * height];
  const drop = height - ey;
  const bend = (sx - ex) * 0.9 + width * 0.08;
  const side = (wide: number, lead: number) =>
    `C${round(sx + wide * 0.8 - bend)} ${round(height - drop * 0.35)} ${round(ex + bend * 0.55 + lead)} ${round(ey + drop * 0.42)} ${round(ex + lead * 0.12)} ${round(ey)}`;
  const wide = width * 0.035;
  return `<path d="M${round(sx - wide)} ${height + 2}${side(-wide, -wide * 0.4)}L${round(ex + 1)} ${round(ey)}C${round(ex + bend * 0.55 + wide * 0.4)} ${round(ey + drop * 0.42)} ${round(sx + wide * 0.8 - bend)} ${round(height - drop * 0.35)} ${round(sx + wide)} ${height + 2}Z" fill="${mix(palette.near, palette.pale, 0.42)}"/>`;
}

export function water(work: Work, from: number, to: number): string {
  const { frame, palette, random } = work;
  const { width, height } = frame;
  const { defs, fill } = gradient([mix(palette.sky[2], palette.pale, 0.3), mix(palette.sky[1], palette.near, 0.35)]);
  const glints = Array.from({ length: 26 }, () => {
    const y = between(random, from + 0.01, to) * height;
    const depth = (y / height - from) / (to - from);
    const wide = (0.02 + depth * 0.1) * width * between(random, 0.4, 1);
    return `<rect x="${round(random() * width)}" y="${round(y)}" width="${round(wide)}" height="${round(1.2 + depth * 3)}" rx="2" fill="${palette.pale}" opacity="0.38"/>`;
  }).join("");
  return `${defs}<rect y="${round(from * height)}" width="${width}" height="${round((to - from) * height)}" fill="${fill}"/>${glints}`;
}

export function hut({ frame, palette }: Work, x: number, base: number, size: number): string {
  const wall = mix(palette.near, palette.pale, 0.2);
  const [w, h] = [size, size * 0.44];
  const roof = mix(palette.near, palette.ember, 0.12);
  const window = (at: number) =>
    `<rect x="${round(x + w * at)}" y="${round(base - h * 0.68)}" width="${round(w * 0.11)}" height="${round(h * 0.34)}" fill="${palette.ember}"/>`;
  const smoke = `<path d="M${round(x + w * 0.79)} ${round(base - h * 1.95)}q${round(w * 0.1)} ${round(-h * 0.5)} 0 ${round(-h)}t${round(w * 0.06)} ${round(-h)}" fill="none" stroke="${palette.pale}" stroke-width="${round(frame.width * 0.004)}" stroke-linecap="round" opacity="0.55"/>`;
  return `${smoke}<rect x="${round(x + w * 0.73)}" y="${round(base - h * 1.8)}" width="${round(w * 0.1)}" height="${round(h * 0.7)}" fill="${wall}"/><rect x="${round(x)}" y="${round(base - h)}" width="${round(w)}" height="${round(h * 1.2)}" fill="${wall}"/><path d="M${round(x - w * 0.06)} ${round(base - h * 0.95)}L${round(x + w * 0.1)} ${round(base - h * 1.62)}L${round(x + w * 0.9)} ${round(base - h * 1.62)}L${round(x + w * 1.06)} ${round(base - h * 0.95)}Z" fill="${roof}"/>${window(0.16)}${window(0.7)}<rect x="${round(x + w * 0.42)}" y="${round(base - h * 0.7)}" width="${round(w * 0.14)}" height="${round(h * 0.9)}" fill="${mix(wall, palette.near, 0.7)}"/>`;
}

/** Rolling ridges one behind another, from `from` to `to` as shares of the height. */
export function rolling(
  work: Work,
  { count = 4, from = 0.48, to = 0.78, rough = 0, relief = 0.16 } = {},
): { drawn: string; lines: Line[] } {
  const lines: Line[] = [];
  let drawn = "";
  for (let at = 0; at < count; at += 1) {
    const share = at / Math.max(1, count - 1);
    const ridge = {
      level: from + (to - from) * share,
      relief: relief * (1 - share * 0.3),
      rough: rough * (1 - share * 0.8),
      tilt: between(work.random, -0.1, 0.1),
    };
    const made = hill(work, 0.06 + share * 0.66, ridge);
    lines.push(made.line);
    drawn += made.drawn;
    if (share > 0.3 && rough < 0.3) {
      const start = between(work.random, 0, 0.7) * work.frame.width;
      const size = work.frame.height * (0.02 + share * 0.045);
      drawn += firs(made.line, work.random, {
        colour: mix(made.colour, work.palette.near, 0.35),
        size,
        count: 26,
        from: start,
        to: start + work.frame.width * 0.3,
      });
    }
  }
  return { drawn, lines };
}

/** With a round crown. */
export function tree({ palette, random }: Work, x: number, base: number, tall: number): string {
  const colour = mix(palette.near, palette.far, between(random, 0.08, 0.34));
  return `<rect x="${round(x - tall * 0.04)}" y="${round(base - tall * 0.5)}" width="${round(tall * 0.08)}" height="${round(tall * 0.52)}" fill="${palette.near}"/><ellipse cx="${round(x)}" cy="${round(base - tall * 0.68)}" rx="${round(tall * 0.33)}" ry="${round(tall * 0.4)}" fill="${colour}"/>`;
}
