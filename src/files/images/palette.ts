// The main colours of a small image, by median cut: the box of colours that is widest, weighted by its pixels,
// is split at its median until there are enough. Of boxes that look alike the larger one represents both.

type Channel = 0 | 1 | 2;
type Colour = readonly [number, number, number];

/** More boxes than colours, so that small but striking colours get one. */
const boxesPerColour = 4;
/** Nearer than this, two colours look the same. */
const alike = 50;

/** `pixels` are RGBA; transparent ones do not count. At most `count` colours as `#rrggbb`. */
export function medianCut(pixels: Uint8Array, count: number): string[] {
  const all: Colour[] = [];
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] as number) < 128) continue;
    all.push([pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number]);
  }
  const boxes = all.length > 0 ? [all] : [];
  while (boxes.length < boxesPerColour * count) {
    const best = boxes.map((box, at) => ({ at, ...widest(box), size: box.length })).sort(byWeight)[0];
    if (!best || best.range === 0) break;
    boxes.splice(best.at, 1, ...split(boxes[best.at] as Colour[], best.channel));
  }
  boxes.sort((a, b) => b.length - a.length);
  const kept: Colour[] = [];
  for (const colour of boxes.map(average)) {
    if (kept.length < count && kept.every((other) => distance(colour, other) > alike)) kept.push(colour);
  }
  return kept.map(toHex);
}

/** Weighted for the eye: it sees green best, and blue least. */
function distance(a: Colour, b: Colour): number {
  return Math.hypot(1.4 * (a[0] - b[0]), 2 * (a[1] - b[1]), 1.7 * (a[2] - b[2]));
}

function byWeight(a: { range: number; size: number }, b: { range: number; size: number }): number {
  return b.range * Math.sqrt(b.size) - a.range * Math.sqrt(a.size);
}

function widest(box: Colour[]): { channel: Channel; range: number } {
  const low = [255, 255, 255];
  const high = [0, 0, 0];
  for (const colour of box) {
    for (const channel of [0, 1, 2] as const) {
      low[channel] = Math.min(low[channel] as number, colour[channel]);
      high[channel] = Math.max(high[channel] as number, colour[channel]);
    }
  }
  const range = (channel: Channel) => (high[channel] as number) - (low[channel] as number);
  const channel = ([0, 1, 2] as const).reduce((best, next) => (range(next) > range(best) ? next : best));
  return { channel, range: range(channel) };
}

/** Both halves are not empty, and equal values stay together. */
function split(box: Colour[], channel: Channel): Colour[][] {
  const values = box.map((colour) => colour[channel]).sort((a, b) => a - b);
  const median = values[values.length >> 1] as number;
  const edge = median === values[0] ? median : median - 1;
  return [box.filter((colour) => colour[channel] <= edge), box.filter((colour) => colour[channel] > edge)];
}

function average(box: Colour[]): Colour {
  const mean = (channel: Channel) => Math.round(box.reduce((sum, colour) => sum + colour[channel], 0) / box.length);
  return [mean(0), mean(1), mean(2)];
}

function toHex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
