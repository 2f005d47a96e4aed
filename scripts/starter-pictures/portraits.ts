// Drawn people: head, hair, coat, and hills behind them. Without faces, so nobody is meant.

import { mix, palettes } from "./colours.ts";
import { type Frame, gradient, ridgeLine, ridgePath, round, seeded } from "./scenery.ts";

export interface Look {
  light: keyof typeof palettes;
  skin: string;
  hair: string;
  coat: string;
  style: "long" | "short" | "bun" | "cap" | "bald" | "hat";
  scarf?: string;
  beard?: boolean;
  glasses?: boolean;
}

export function portrait(look: Look, seed: string, frame: Frame): string {
  const { width, height } = frame;
  const palette = palettes[look.light];
  const random = seeded(seed);
  const back = [0.5, 0.62, 0.74]
    .map((level, at) => {
      const line = ridgeLine(frame, random, { level, relief: 0.16, rough: 0 });
      return `<path d="${ridgePath(line, frame, false)}" fill="${mix(palette.far, palette.near, 0.06 + at * 0.2)}"/>`;
    })
    .join("");
  const { defs, fill } = gradient(palette.sky);
  // Drawn on a square of 100 and scaled.
  const scale = width / 100;
  const drawn = figure(look);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${defs}<rect width="${width}" height="${height}" fill="${fill}"/>${back}<g transform="translate(0 ${round(height - 100 * scale)}) scale(${round(scale)})">${drawn}</g></svg>`;
}

function figure({ skin, hair, coat, style, scarf, beard, glasses }: Look): string {
  const shade = mix(skin, "#3a1d10", 0.24);
  const dark = mix(coat, "#0b0f0e", 0.32);
  const body = `<path d="M8 101C9 80 22 73 38 70.5L50 76L62 70.5C78 73 91 80 92 101Z" fill="${coat}"/><path d="M50 76V101" stroke="${dark}" stroke-width="1.2"/><path d="M38 70.5L50 76L62 70.5L60 66H40Z" fill="${dark}"/>`;
  const neck = `<path d="M42.5 56H57.5V70Q50 76.5 42.5 70Z" fill="${shade}"/>`;
  const head = `<path d="M35 40C35 27 42 22.5 50 22.5S65 27 65 40C65 53 58 62.5 50 62.5S35 53 35 40Z" fill="${skin}"/>`;
  const cheek = `<path d="M50 22.5C58 22.5 65 27 65 40C65 53 58 62.5 50 62.5C56 56 58 48 57 39C56.5 32 54 27 50 22.5Z" fill="${shade}" opacity="0.28"/>`;
  const top = `<path d="M33.5 42C31 27 38 18.5 50 18.5S69 27 66.5 42C65.5 36 63.5 32 60 29.5C53 33 42 33 38 31C35.5 33.5 34.5 37 33.5 42Z" fill="${hair}"/>`;
  const behind: Record<Look["style"], string> = {
    long: `<path d="M31 44C28 25 37 17 50 17S72 25 69 44C69.5 58 72 66 74 72C62 78 38 78 26 72C28 66 30.5 58 31 44Z" fill="${mix(hair, "#000000", 0.12)}"/>`,
    bun: `<circle cx="50" cy="15.5" r="8" fill="${mix(hair, "#000000", 0.12)}"/>`,
    short: "",
    cap: "",
    bald: "",
    hat: `<path d="M31 44C30 30 37 20 50 20S70 30 69 44C69 52 70 56 71 60H29C30 56 31 52 31 44Z" fill="${mix(hair, "#000000", 0.12)}"/>`,
  };
  const over: Record<Look["style"], string> = {
    long: top,
    short: top,
    bun: top,
    cap: `<path d="M33 37C31.5 21 39 15.5 50 15.5S68.5 21 67 37C57 33.5 43 33.5 33 37Z" fill="${hair}"/><path d="M33 37C43 32.5 57 32.5 67 37V41C57 36.5 43 36.5 33 41Z" fill="${mix(hair, "#ffffff", 0.18)}"/><circle cx="50" cy="13.5" r="4" fill="${mix(hair, "#ffffff", 0.3)}"/>`,
    bald: `<path d="M35 42C34 37 34 34 35.5 31C36.5 34 36.8 38 37 42ZM65 42C66 37 66 34 64.5 31C63.5 34 63.2 38 63 42Z" fill="${hair}"/>`,
    hat: `<path d="M38 30C37 17 41 11 50 11S63 17 62 30Z" fill="${mix("#7d5500", "#e9d9b8", 0.55)}"/><path d="M24 31C32 26.5 68 26.5 76 31C70 36 30 36 24 31Z" fill="${mix("#7d5500", "#e9d9b8", 0.68)}"/><path d="M38 26.5C44 29 56 29 62 26.5L62.2 29.5C56 32 44 32 37.8 29.5Z" fill="#a8480c"/>`,
  };
  const beardShape = beard
    ? `<path d="M35 42C35.5 55 41 65.5 50 65.5S64.5 55 65 42C62.5 47 61 49.5 57.5 50C53 50.5 47 50.5 42.5 50C39 49.5 37.5 47 35 42Z" fill="${style === "cap" ? "#6b4a33" : hair}"/>`
    : "";
  const spectacles = glasses
    ? `<g fill="none" stroke="#1e2322" stroke-width="1.1"><circle cx="43.5" cy="42" r="4.6"/><circle cx="56.5" cy="42" r="4.6"/><path d="M48.1 41.5Q50 40.3 51.9 41.5M38.9 41L35.2 40M61.1 41L64.8 40"/></g>`
    : "";
  const wrap = scarf
    ? `<path d="M36 66C42 72 58 72 64 66C67 70 67 74 64 76C56 81 44 81 36 76C33 74 33 70 36 66Z" fill="${scarf}"/><path d="M55 77L63 75L66 95L57 97Z" fill="${mix(scarf, "#000000", 0.15)}"/>`
    : "";
  return behind[style] + body + neck + head + cheek + beardShape + over[style] + spectacles + wrap;
}
