// Colours of the drawn pictures: palettes that begin with the tokens of the admin, and mixing that looks even to the eye.

export interface Palette {
  /** From the top of the sky to the horizon. */
  sky: readonly [string, string, string];
  /** The hills, from the farthest to the nearest. */
  far: string;
  near: string;
  /** The sun or the moon. */
  disc: string;
  /** What catches the eye: a roof, a window, a coat. */
  ember: string;
  /** Water and snow. */
  pale: string;
}

export const palettes = {
  morning: {
    sky: ["#d5e0e3", "#ebe6da", "#fbe1c8"],
    far: "#c3cbc6",
    near: "#1f3331",
    disc: "#fff3df",
    ember: "#c85c17",
    pale: "#f3efe4",
  },
  noon: {
    sky: ["#a9c7d8", "#cfdfe2", "#efece0"],
    far: "#b4c6c8",
    near: "#1f4032",
    disc: "#fffaf0",
    ember: "#d2661c",
    pale: "#f7f5ee",
  },
  evening: {
    sky: ["#5d6f86", "#d9947a", "#f8c58b"],
    far: "#b98176",
    near: "#231f2c",
    disc: "#ffe6b8",
    ember: "#f0a063",
    pale: "#f9cfa0",
  },
  ember: {
    sky: ["#8e3b1a", "#dd7a35", "#fbcf8e"],
    far: "#c9692f",
    near: "#241713",
    disc: "#fff0cd",
    ember: "#ffdca6",
    pale: "#f7bd79",
  },
  rain: {
    sky: ["#8e9a9c", "#b5bdb9", "#d8d8ce"],
    far: "#a5aeaa",
    near: "#232a28",
    disc: "#e8e6dc",
    ember: "#d9762f",
    pale: "#dfe1da",
  },
  winter: {
    sky: ["#b4c5d3", "#dbe0e1", "#f5e7dc"],
    far: "#c9d3da",
    near: "#33475a",
    disc: "#fff6ea",
    ember: "#c4570f",
    pale: "#fbfaf7",
  },
  night: {
    sky: ["#0d1622", "#1f3346", "#4f6470"],
    far: "#405564",
    near: "#0a0f12",
    disc: "#f4ead2",
    ember: "#ffb266",
    pale: "#7f929b",
  },
  heather: {
    sky: ["#c9cfdb", "#ead9d6", "#fbe3c9"],
    far: "#bfaab4",
    near: "#3a2232",
    disc: "#fff2dc",
    ember: "#c85c17",
    pale: "#f4e8e1",
  },
} satisfies Record<string, Palette>;

export type Light = keyof typeof palettes;

type Three = [number, number, number];

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const toGamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

function toLab(hex: string): Three {
  const [r, g, b] = [1, 3, 5].map((at) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as Three;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([L, a, b]: Three): string {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const byte = (value: number) => Math.round(255 * Math.min(1, Math.max(0, toGamma(value))));
  return `#${channels.map((value) => byte(value).toString(16).padStart(2, "0")).join("")}`;
}

/** Between two colours, in OKLab. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [toLab(from), toLab(to)];
  return toHex(a.map((value, at) => value + ((b[at] as number) - value) * share) as Three);
}
