// Whole drawn landscapes: a light, a motif and a seed make a picture. Layers stand behind one another, paler the farther they are.

import { type Light, mix, type Palette, palettes } from "./colours.ts";
import { backdrop, foreground, hill, hut, rolling, snow, tree, type Work, water, way } from "./layers.ts";
import { between, birds, cairn, disc, type Frame, firs, gradient, heightAt, menhir, round, seeded } from "./scenery.ts";

export type Motif =
  | "fells"
  | "tarn"
  | "moor"
  | "cairn"
  | "circle"
  | "river"
  | "wood"
  | "coast"
  | "light"
  | "bothy"
  | "wall"
  | "camp";

export function landscape(motif: Motif, light: Light, seed: string, frame: Frame): string {
  const work: Work = { frame, light, palette: palettes[light], random: seeded(`${motif} ${light} ${seed}`) };
  const { width, height } = frame;
  const drawn = motifs[motif](work);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawn}</svg>`;
}

const motifs: Record<Motif, (work: Work) => string> = {
  fells(work) {
    const { frame, palette, random, light } = work;
    const far = hill(work, 0.04, { level: 0.46, relief: 0.26, rough: 0.95 });
    const mid = hill(work, 0.2, { level: 0.52, relief: 0.42, rough: 0.9, tilt: between(random, -0.18, 0.18) });
    const caps = light === "winter" || random() > 0.5 ? snow(work, mid.line) : "";
    const near = rolling(work, { count: 3, from: 0.7, to: 0.84, relief: 0.16 });
    const front = foreground(work, { level: 0.95, relief: 0.1, rough: 0, tilt: between(random, -0.08, 0.08) });
    return (
      backdrop(work, { x: between(random, 0.2, 0.8), y: 0.2 }) +
      far.drawn +
      mid.drawn +
      caps +
      near.drawn +
      birds(frame.width * 0.3, frame.height * 0.3, frame.height * 0.014, palette.near, random) +
      front.drawn
    );
  },
  tarn(work) {
    const { frame, palette, random } = work;
    const peak = hill(work, 0.16, { level: 0.46, relief: 0.4, rough: 0.9 });
    const shore = hill(work, 0.5, { level: 0.6, relief: 0.08, rough: 0.1, tilt: 0.03 });
    const lake = water(work, 0.62, 1);
    const mirrored = `<g transform="translate(0 ${round(frame.height * 1.24)}) scale(1 -1)" opacity="0.2">${peak.drawn}</g>`;
    const front = foreground(work, {
      level: 0.97,
      relief: 0.1,
      rough: 0,
      tilt: between(random, 0.12, 0.2) * (random() > 0.5 ? 1 : -1),
    });
    const trees = firs(shore.line, random, {
      colour: mix(shore.colour, palette.near, 0.5),
      size: frame.height * 0.06,
      count: 34,
      from: 0,
      to: frame.width * 0.42,
    });
    return (
      backdrop(work, { x: between(random, 0.3, 0.7), y: 0.17 }) +
      peak.drawn +
      snow(work, peak.line) +
      shore.drawn +
      trees +
      lake +
      mirrored +
      front.drawn
    );
  },
  moor(work) {
    const { frame, palette, random } = work;
    const back = rolling(work, { count: 5, from: 0.44, to: 0.74, relief: 0.13 });
    const front = foreground(work, { level: 0.88, relief: 0.12, rough: 0, tilt: between(random, -0.1, 0.1) });
    const x = frame.width * between(random, 0.2, 0.34);
    const look = { random, dark: palette.near, light: mix(palette.near, palette.pale, 0.4) };
    return (
      backdrop(work, { x: between(random, 0.55, 0.82), y: 0.27, size: 0.075 }) +
      back.drawn +
      birds(frame.width * 0.42, frame.height * 0.24, frame.height * 0.013, palette.near, random) +
      front.drawn +
      way(work, { x: 0.62, y: 0.87 }, between(random, 0.5, 0.8)) +
      cairn(x, heightAt(front.line, x) + 8, frame.height * 0.2, look)
    );
  },
  cairn(work) {
    const { frame, palette, random } = work;
    const back = rolling(work, { count: 4, from: 0.52, to: 0.76, relief: 0.14 });
    const front = foreground(work, { level: 0.9, relief: 0.07, rough: 0 });
    const x = frame.width * between(random, 0.4, 0.62);
    const look = {
      random,
      dark: mix(palette.near, palette.far, 0.12),
      light: mix(palette.near, palette.pale, 0.55),
      cap: palette.ember,
    };
    return (
      backdrop(work, { x: x / frame.width + 0.02, y: 0.36, size: 0.13 }) +
      back.drawn +
      front.drawn +
      cairn(x, heightAt(front.line, x) + 12, frame.height * 0.62, look)
    );
  },
  circle(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    const back = rolling(work, { count: 4, from: 0.5, to: 0.7, relief: 0.12 });
    const meadow = hill(work, 0.8, { level: 0.8, relief: 0.04, rough: 0 });
    const look = { random, dark: mix(palette.near, palette.far, 0.16), light: mix(palette.near, palette.pale, 0.5) };
    const pale = { ...look, dark: mix(palette.near, palette.far, 0.36) };
    const behind = [0.3, 0.41, 0.53, 0.66].map((x) =>
      menhir(width * x, height * 0.82, height * between(random, 0.1, 0.16), pale),
    );
    const before = [0.12, 0.34, 0.7, 0.88].map((x, at) =>
      menhir(
        width * (x + between(random, -0.02, 0.02)),
        height * 0.95,
        height * (at % 3 === 0 ? 0.36 : 0.26) * between(random, 0.9, 1.1),
        look,
      ),
    );
    const front = foreground(work, { level: 0.92, relief: 0.05, rough: 0, tilt: between(random, -0.04, 0.04) });
    return (
      backdrop(work, { x: 0.5, y: 0.36, size: 0.1 }) +
      back.drawn +
      behind.join("") +
      meadow.drawn +
      before.join("") +
      front.drawn
    );
  },
  river(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    const back = rolling(work, { count: 3, from: 0.42, to: 0.56, relief: 0.14 });
    const plain = hill(work, 0.52, { level: 0.62, relief: 0.03, rough: 0 });
    const end = between(random, 0.4, 0.62) * width;
    const { defs, fill } = gradient([palette.sky[2], mix(palette.sky[0], palette.pale, 0.35)]);
    const y = (share: number) => round(height * share);
    const stream = `${defs}<path d="M${round(end)} ${y(0.625)}C${round(end + width * 0.2)} ${y(0.64)} ${round(width * 0.98)} ${y(0.7)} ${round(width * 0.62)} ${y(0.75)}S${round(width * 0.08)} ${y(0.8)} ${round(width * 0.3)} ${y(1.01)}L${round(width * 0.72)} ${y(1.01)}C${round(width * 0.36)} ${y(0.86)} ${round(width * 0.6)} ${y(0.81)} ${round(width * 0.84)} ${y(0.74)}S${round(end + width * 0.24)} ${y(0.63)} ${round(end + 5)} ${y(0.624)}Z" fill="${fill}"/>`;
    const left = Array.from({ length: 16 }, () => between(random, 0, 0.24)).map((x) =>
      tree(work, x * width, height * between(random, 0.69, 0.77), height * between(random, 0.04, 0.07)),
    );
    const right = Array.from({ length: 9 }, () => between(random, 0.82, 1)).map((x) =>
      tree(work, x * width, height * between(random, 0.77, 0.88), height * between(random, 0.06, 0.11)),
    );
    const front = foreground(work, { level: 0.99, relief: 0.06, rough: 0, tilt: between(random, -0.1, 0.1) });
    return (
      backdrop(work, { x: end / width, y: 0.24 }) +
      back.drawn +
      plain.drawn +
      stream +
      left.join("") +
      right.join("") +
      front.drawn
    );
  },
  wood(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    let drawn = backdrop(work, { x: between(random, 0.35, 0.65), y: 0.24, size: 0.08 });
    for (let at = 0; at < 5; at += 1) {
      const share = at / 4;
      const made = hill(work, 0.05 + share * 0.9, {
        level: 0.52 + share * 0.42,
        relief: 0.1,
        rough: 0,
        tilt: between(random, -0.12, 0.12),
      });
      const trees = { colour: made.colour, size: height * (0.09 + share * 0.3), count: Math.round(60 - share * 44) };
      // The nearest trees frame the picture.
      const sides: [number, number][] =
        at < 3
          ? [[-0.1 * width, 1.1 * width]]
          : [
              [-0.12 * width, 0.3 * width],
              [0.72 * width, 1.12 * width],
            ];
      for (const [from, to] of sides)
        drawn += firs(made.line, random, { ...trees, from: Math.max(1, from), to: Math.min(width - 1, to) });
      drawn += made.drawn;
    }
    return (
      drawn +
      way(work, { x: 0.5, y: 0.93 }, 0.46) +
      birds(width * 0.6, height * 0.16, height * 0.013, palette.near, random)
    );
  },
  coast(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    const side = random() > 0.5 ? 1 : -1;
    const sea = water(work, 0.5, 1);
    const cliff = (depth: number, reach: number, top: number): string => {
      const colour = mix(palette.far, palette.near, depth);
      const flip = side > 0 ? "" : `transform="translate(${width} 0) scale(-1 1)"`;
      const foot = height * (0.5 + depth * 0.42);
      const steps = [0.18, 0.42, 0.6, 0.78, 0.92, 1].map(
        (share) =>
          `L${round(width * reach * share + between(random, -9, 9))} ${round(height * top + (foot - height * top) * share ** 3 * 0.7)}`,
      );
      const { defs, fill } = gradient([colour, mix(colour, palette.pale, 0.18 * (1 - depth))]);
      return `${defs}<path ${flip} d="M-2 ${round(height * (top - 0.02))}${steps.join("")}L${round(width * reach * 1.02)} ${round(foot)}L-2 ${round(foot + height * depth * 0.12)}Z" fill="${fill}"/><path ${flip} d="M${round(width * reach * 1.05)} ${round(foot - 1)}L-2 ${round(foot + height * depth * 0.12)}" stroke="${palette.pale}" stroke-width="${round(height * (0.002 + depth * 0.006))}" stroke-linecap="round" opacity="0.6"/>`;
    };
    const front = foreground(work, { level: 0.95, relief: 0.08, rough: 0, tilt: 0.14 * side });
    return (
      backdrop(work, { x: side > 0 ? 0.72 : 0.28, y: 0.3, size: 0.08 }) +
      sea +
      cliff(0.1, 0.66, 0.42) +
      cliff(0.34, 0.5, 0.37) +
      cliff(0.66, 0.3, 0.33) +
      birds(width * (side > 0 ? 0.5 : 0.3), height * 0.25, height * 0.017, palette.near, random) +
      front.drawn
    );
  },
  light(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    const sea = water(work, 0.62, 1);
    const head = hill(work, 0.7, { level: 0.8, relief: 0.1, rough: 0, tilt: -0.34 });
    const far = hill(work, 0.08, { level: 0.6, relief: 0.05, rough: 0.1 });
    const x = width * 0.72;
    const base = heightAt(head.line, x) + 6;
    const tall = height * 0.34;
    const tower = `<path d="M${round(x - tall * 0.1)} ${round(base)}L${round(x - tall * 0.065)} ${round(base - tall)}H${round(x + tall * 0.065)}L${round(x + tall * 0.1)} ${round(base)}Z" fill="${mix(palette.pale, palette.near, 0.16)}"/><path d="M${round(x - tall * 0.083)} ${round(base - tall * 0.48)}L${round(x - tall * 0.075)} ${round(base - tall * 0.72)}H${round(x + tall * 0.075)}L${round(x + tall * 0.083)} ${round(base - tall * 0.48)}Z" fill="${palette.ember}"/><rect x="${round(x - tall * 0.085)}" y="${round(base - tall * 1.03)}" width="${round(tall * 0.17)}" height="${round(tall * 0.04)}" fill="${palette.near}"/><rect x="${round(x - tall * 0.05)}" y="${round(base - tall * 1.14)}" width="${round(tall * 0.1)}" height="${round(tall * 0.11)}" fill="${mix(palette.disc, palette.ember, 0.25)}"/><path d="M${round(x - tall * 0.075)} ${round(base - tall * 1.13)}L${round(x)} ${round(base - tall * 1.23)}L${round(x + tall * 0.075)} ${round(base - tall * 1.13)}Z" fill="${palette.near}"/>`;
    const beam = `<path d="M${round(x)} ${round(base - tall * 1.09)}L-10 ${round(base - tall * 1.6)}L-10 ${round(base - tall * 0.92)}Z" fill="${palette.disc}" opacity="0.16"/>`;
    const front = foreground(work, { level: 0.98, relief: 0.06, rough: 0, tilt: -0.2 });
    return (
      backdrop(work, { x: 0.26, y: 0.3, size: 0.07 }) +
      far.drawn +
      sea +
      beam +
      head.drawn +
      tower +
      birds(width * 0.4, height * 0.3, height * 0.014, palette.near, random) +
      front.drawn
    );
  },
  bothy(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    const peak = hill(work, 0.12, { level: 0.48, relief: 0.36, rough: 0.85 });
    const near = rolling(work, { count: 3, from: 0.62, to: 0.78, relief: 0.12 });
    const ground = hill(work, 0.86, { level: 0.86, relief: 0.05, rough: 0, tilt: between(random, -0.06, 0.06) });
    const x = width * between(random, 0.5, 0.62);
    const base = heightAt(ground.line, x + width * 0.08) + 4;
    const front = foreground(work, { level: 0.99, relief: 0.06, rough: 0 });
    return (
      backdrop(work, { x: 0.26, y: 0.22 }) +
      peak.drawn +
      snow(work, peak.line) +
      near.drawn +
      hut(work, x, base, width * 0.17) +
      ground.drawn +
      way(work, { x: x / width + 0.08, y: base / height + 0.01 }, 0.3) +
      firs(ground.line, random, {
        colour: palette.near,
        size: height * 0.17,
        count: 7,
        from: width * 0.02,
        to: width * 0.26,
      }) +
      front.drawn
    );
  },
  wall(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    const back = rolling(work, { count: 4, from: 0.36, to: 0.6, relief: 0.14 });
    const dark = mix(palette.near, palette.far, 0.12);
    const courses = [0.11, 0.1, 0.085, 0.07, 0.06];
    let y = 0.99;
    let stones = `<rect y="${round(height * 0.6)}" width="${width}" height="${round(height * 0.4)}" fill="${palette.near}"/>`;
    for (const course of courses) {
      y -= course * 0.92;
      for (let x = -0.05; x < 1.02; ) {
        const wide = between(random, 0.055, 0.13) * (course / 0.085);
        const tint = mix(dark, palette.far, between(random, 0.02, 0.3));
        const r = round(height * course * 0.26);
        stones += `<rect x="${round(x * width)}" y="${round((y + between(random, -0.006, 0.006)) * height)}" width="${round((wide - 0.005) * width)}" height="${round((course * 0.92 - 0.008) * height)}" rx="${r}" fill="${tint}" transform="rotate(${round(between(random, -1.6, 1.6))} ${round(x * width)} ${round(y * height)})"/>`;
        x += wide;
      }
    }
    // Coping stones stand on edge.
    for (let x = -0.01; x < 1.02; ) {
      const wide = between(random, 0.028, 0.05);
      const tall = between(random, 0.065, 0.09);
      stones += `<rect x="${round(x * width)}" y="${round((y - tall + 0.012) * height)}" width="${round((wide - 0.003) * width)}" height="${round(tall * height)}" rx="${round(width * 0.008)}" fill="${mix(dark, palette.far, between(random, 0.08, 0.34))}" transform="rotate(${round(between(random, 2, 9))} ${round(x * width)} ${round(y * height)})"/>`;
      x += wide;
    }
    return backdrop(work, { x: between(random, 0.2, 0.8), y: 0.2, size: 0.07 }) + back.drawn + stones;
  },
  camp(work) {
    const { frame, palette, random } = work;
    const { width, height } = frame;
    const back = rolling(work, { count: 4, from: 0.5, to: 0.74, relief: 0.18 });
    const front = foreground(work, { level: 0.87, relief: 0.06, rough: 0 });
    const x = width * between(random, 0.36, 0.56);
    const base = heightAt(front.line, x) + height * 0.03;
    const size = width * 0.11;
    const tent = `<ellipse cx="${round(x)}" cy="${round(base)}" rx="${round(size * 1.5)}" ry="${round(size * 0.18)}" fill="${palette.ember}" opacity="0.22"/><path d="M${round(x - size)} ${round(base)}L${round(x)} ${round(base - size * 0.95)}L${round(x + size)} ${round(base)}Z" fill="${palette.ember}"/><path d="M${round(x)} ${round(base - size * 0.95)}L${round(x - size * 0.2)} ${round(base)}L${round(x + size * 0.2)} ${round(base)}Z" fill="${mix(palette.ember, palette.near, 0.62)}"/><path d="M${round(x)} ${round(base - size * 0.95)}L${round(x + size)} ${round(base)}L${round(x + size * 0.2)} ${round(base)}Z" fill="${mix(palette.ember, palette.near, 0.25)}" opacity="0.7"/>`;
    const pines = firs(front.line, random, {
      colour: palette.near,
      size: height * 0.34,
      count: 7,
      from: width * 0.7,
      to: width * 0.99,
    });
    return backdrop(work, { x: 0.24, y: 0.24 }) + back.drawn + pines + front.drawn + tent;
  },
};

/** The hills of the home page. Their sky is the ground of the page and their foot is the colour of the part below. */
export function hero(scheme: "light" | "dark"): string {
  const frame = { width: 2000, height: 860 };
  const palette: Palette =
    scheme === "light"
      ? {
          ...palettes.morning,
          sky: ["#f4f3ef", "#f4f3ef", "#fbe3cd"],
          far: "#d3d8d3",
          near: "#1f3331",
          disc: "#f3a768",
        }
      : { ...palettes.night, sky: ["#131615", "#131615", "#23302f"], far: "#3b4a48", near: "#0b1110", disc: "#f0a063" };
  const work: Work = { frame, palette, light: "noon", random: seeded("old stones 7") };
  const { width, height } = frame;
  const { defs, fill } = gradient(palette.sky);
  const far = hill(work, 0.05, { level: 0.5, relief: 0.3, rough: 0.85, tilt: -0.1 });
  const mid = hill(work, 0.2, { level: 0.58, relief: 0.26, rough: 0.8, tilt: 0.12 });
  const near = rolling(work, { count: 4, from: 0.64, to: 0.86, relief: 0.15 });
  const front = foreground(work, { level: 0.95, relief: 0.08, rough: 0, tilt: -0.03 });
  const x = width * 0.745;
  const look = {
    random: work.random,
    dark: palette.near,
    light: mix(palette.near, palette.pale, 0.4),
    cap: palette.disc,
  };
  const drawn = `${defs}<rect width="${width}" height="${height}" fill="${fill}"/>${disc(width * 0.735, height * 0.36, height * 0.085, palette)}${far.drawn}${mid.drawn}${near.drawn}${birds(width * 0.5, height * 0.3, 12, mix(palette.near, palette.far, 0.5), work.random)}${front.drawn}${cairn(x, heightAt(front.line, x) + 10, height * 0.3, look)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawn}</svg>`;
}
