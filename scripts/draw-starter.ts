// Draws the pictures of the starter site "walks" into starters/walks/files and starters/walks/public. The same lines always make
// the same pictures, so the files are stored in the repository: an installation copies them and draws nothing.
//   node scripts/draw-starter.ts [part of a path]

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import sharp from "sharp";
import type { Light } from "./starter-pictures/colours.ts";
import { type Look, portrait } from "./starter-pictures/portraits.ts";
import { hero, landscape, type Motif } from "./starter-pictures/scenes.ts";

const folder = resolve(import.meta.dirname, "../starters/walks");
const only = process.argv[2] ?? "";

type Shot = [motif: Motif, light: Light];

/** The picture at the top, then the gallery. */
const walks: Record<string, [Shot, Shot, Shot, Shot]> = {
  "raven-crag-round": [
    ["fells", "morning"],
    ["cairn", "noon"],
    ["tarn", "noon"],
    ["fells", "rain"],
  ],
  "three-tarns": [
    ["tarn", "noon"],
    ["tarn", "morning"],
    ["wood", "noon"],
    ["fells", "noon"],
  ],
  "the-bothy-path": [
    ["bothy", "evening"],
    ["bothy", "night"],
    ["wall", "rain"],
    ["fells", "winter"],
  ],
  "the-grey-sisters": [
    ["circle", "heather"],
    ["circle", "evening"],
    ["wall", "heather"],
    ["moor", "morning"],
  ],
  "the-carriers-road": [
    ["moor", "noon"],
    ["cairn", "morning"],
    ["moor", "rain"],
    ["wall", "noon"],
  ],
  "heather-and-cairns": [
    ["cairn", "heather"],
    ["moor", "heather"],
    ["moor", "evening"],
    ["circle", "noon"],
  ],
  "alder-water": [
    ["river", "noon"],
    ["river", "morning"],
    ["wood", "morning"],
    ["river", "winter"],
  ],
  "mill-lane": [
    ["wood", "ember"],
    ["river", "heather"],
    ["wood", "heather"],
    ["wall", "morning"],
  ],
  "seven-bridges": [
    ["river", "evening"],
    ["river", "rain"],
    ["wall", "evening"],
    ["wood", "rain"],
  ],
  "gull-head-light": [
    ["light", "morning"],
    ["coast", "noon"],
    ["light", "evening"],
    ["coast", "rain"],
  ],
  "smugglers-steps": [
    ["coast", "evening"],
    ["coast", "morning"],
    ["camp", "evening"],
    ["light", "noon"],
  ],
  "night-walk-to-saltsand": [
    ["coast", "night"],
    ["camp", "night"],
    ["circle", "night"],
    ["light", "night"],
  ],
};

const posts: Record<string, Shot> = {
  "how-to-read-a-cairn": ["cairn", "ember"],
  "a-hundred-and-twelve-stiles": ["wall", "rain"],
  "what-the-night-is-for": ["wood", "night"],
  "boots-again": ["moor", "ember"],
  "the-mosses-of-middle-tarn": ["tarn", "heather"],
  "the-road-that-posted-letters": ["moor", "winter"],
  "soup-for-twenty": ["camp", "ember"],
  "turning-round": ["fells", "evening"],
  "a-compass-in-one-page": ["fells", "heather"],
  "the-year-in-figures": ["circle", "winter"],
};

const people: Record<string, Look> = {
  "maud-ferrier": {
    light: "winter",
    skin: "#edbf9c",
    hair: "#d9d6ce",
    coat: "#4b5350",
    style: "hat",
    scarf: "#b0163f",
  },
  "ewan-carrick": { light: "heather", skin: "#f0c8a6", hair: "#a8480c", coat: "#2b5c86", style: "cap", beard: true },
  "priya-raman": { light: "noon", skin: "#b97a52", hair: "#2a1d18", coat: "#2c6a3f", style: "bun", scarf: "#f0a063" },
  "tobias-lind": { light: "morning", skin: "#e8b894", hair: "#8a8d8a", coat: "#a8480c", style: "short", glasses: true },
  "naomi-okoro": { light: "evening", skin: "#8a5638", hair: "#1b1412", coat: "#e9d9b8", style: "long", glasses: true },
  "jonah-beck": { light: "ember", skin: "#d79f74", hair: "#4a2c1a", coat: "#1f3331", style: "short", beard: true },
};

const [large, medium, small, upright] = [
  { width: 1600, height: 1000 },
  { width: 1200, height: 800 },
  { width: 960, height: 640 },
  { width: 560, height: 700 },
];

const motifs: Record<Motif, string> = {
  fells: "Fells, one behind another",
  tarn: "A tarn below a jagged ridge",
  moor: "A path over the moor, with a cairn beside it",
  cairn: "A cairn with one bright stone on top",
  circle: "Standing stones on a rise",
  river: "A river that winds through meadows",
  wood: "A wood of firs, with a path between them",
  coast: "Headlands above a calm sea",
  light: "A lighthouse on a headland",
  bothy: "A stone hut with lit windows",
  wall: "A drystone wall, and hills behind it",
  camp: "A tent under firs",
};
const lights: Record<Light, string> = {
  morning: "in the morning",
  noon: "on a clear day",
  evening: "at dusk",
  ember: "at sunset",
  rain: "under rain clouds",
  winter: "in winter",
  night: "by night",
  heather: "when the heather is in flower",
};
const sentence = ([motif, light]: Shot): string => `${motifs[motif]}, ${lights[light]}.`;

let total = 0;
/** `text`: what it shows, for people who do not see it. It is stored in the file, where an upload finds it. */
async function draw(path: string, makeSvg: () => string, quality: number, text = ""): Promise<void> {
  if (!path.includes(only)) return;
  const options = { quality, effort: 6, smartSubsample: true };
  const drawn = sharp(Buffer.from(makeSvg())).webp(options);
  if (text !== "") drawn.withExif({ IFD0: { ImageDescription: text } });
  const bytes = await drawn.toBuffer();
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
  total += bytes.length;
  console.log(`${String(bytes.length).padStart(6)} ${path}`);
}

await draw("public/pictures/hills-light.webp", () => hero("light"), 74);
await draw("public/pictures/hills-dark.webp", () => hero("dark"), 74);
for (const [id, [lead, ...gallery]] of Object.entries(walks)) {
  await draw(`files/walks/${id}/image/${id}.webp`, () => landscape(...lead, id, large), 66, sentence(lead));
  for (const [at, shot] of gallery.entries()) {
    const name = `${shot.join("-")}-${at + 1}`;
    await draw(
      `files/walks/${id}/gallery/${name}.webp`,
      () => landscape(...shot, `${id} ${at}`, small),
      60,
      sentence(shot),
    );
  }
}
for (const [id, shot] of Object.entries(posts))
  await draw(`files/journal/${id}/image/${id}.webp`, () => landscape(...shot, id, medium), 62, sentence(shot));
for (const [id, look] of Object.entries(people))
  await draw(
    `files/people/${id}/portrait/${id}.webp`,
    () => portrait(look, id, upright),
    74,
    `Drawn portrait of ${nameOf(id)}.`,
  );
console.log(`${total} bytes`);

function nameOf(id: string): string {
  return id.replace(/(^|-)(.)/g, (_, dash: string, letter: string) => (dash ? " " : "") + letter.toUpperCase());
}
