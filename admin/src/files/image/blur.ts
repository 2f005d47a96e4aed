// A thumbhash as a small blurred picture (its format is public: evanw/thumbhash). It is shown until the picture itself is there.

const known = new Map<string, string | undefined>();

/** As a data address; undefined where the text is no thumbhash. */
export function blurOf(thumbhash: string): string | undefined {
  if (!known.has(thumbhash)) known.set(thumbhash, draw(thumbhash));
  return known.get(thumbhash);
}

function draw(thumbhash: string): string | undefined {
  const decoded = decodeThumbhash(thumbhash);
  if (!decoded) return undefined;
  const { width, height, pixels } = decoded;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas.toDataURL();
}

interface Channel {
  across: number;
  down: number;
  /** The mean. */
  level: number;
  factors: number[];
}

/** Pixels as RGBA, 32 along the longer side. */
export function decodeThumbhash(
  base64: string,
): { width: number; height: number; pixels: Uint8ClampedArray<ArrayBuffer> } | undefined {
  const hash = bytesOf(base64);
  if (!hash || hash.length < 6) return undefined;
  const at = (index: number) => hash[index] ?? 0;
  const head = at(0) | (at(1) << 8) | (at(2) << 16);
  const tail = at(3) | (at(4) << 8);
  const hasAlpha = head >> 23 !== 0;
  const isLandscape = tail >> 15 !== 0;
  const long = hasAlpha ? 5 : 7;
  const short = tail & 7;
  let next = (hasAlpha ? 6 : 5) * 2;
  const readChannel = (across: number, down: number, level: number, scale: number): Channel => {
    const factors: number[] = [];
    for (const _ of placesOf(across, down)) {
      factors.push((((at(next >> 1) >> ((next & 1) << 2)) & 15) / 7.5 - 1) * scale);
      next += 1;
    }
    return { across, down, level, factors };
  };
  const [lx, ly] = [Math.max(3, isLandscape ? long : short), Math.max(3, isLandscape ? short : long)];
  const l = readChannel(lx, ly, (head & 63) / 63, ((head >> 18) & 31) / 31);
  // A little more colour makes up for what the format rounds off.
  const p = readChannel(3, 3, ((head >> 6) & 63) / 31.5 - 1, (((tail >> 3) & 63) / 63) * 1.25);
  const q = readChannel(3, 3, ((head >> 12) & 63) / 31.5 - 1, (((tail >> 9) & 63) / 63) * 1.25);
  const a = hasAlpha ? readChannel(5, 5, (at(5) & 15) / 15, (at(5) >> 4) / 15) : undefined;

  const ratio = (isLandscape ? long : short) / (isLandscape ? short : long) || 1;
  const width = Math.max(1, Math.round(ratio > 1 ? 32 : 32 * ratio));
  const height = Math.max(1, Math.round(ratio > 1 ? 32 / ratio : 32));
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [(Math.PI * (x + 0.5)) / width, (Math.PI * (y + 0.5)) / height];
      const [light, second, third] = [channelAt(l, u, v), channelAt(p, u, v), channelAt(q, u, v)];
      const blue = light - (2 / 3) * second;
      const red = (3 * light - blue + third) / 2;
      const colour = [red, red - third, blue, a ? channelAt(a, u, v) : 1];
      pixels.set(
        colour.map((part) => 255 * part),
        (y * width + x) * 4,
      );
    }
  return { width, height, pixels };
}

/** The triangle of frequencies that a channel has, without the mean. */
function* placesOf(across: number, down: number): Generator<[cx: number, cy: number]> {
  for (let cy = 0; cy < down; cy++)
    for (let cx = cy === 0 ? 1 : 0; cx * down < across * (down - cy); cx++) yield [cx, cy];
}

function channelAt({ across, down, level, factors }: Channel, u: number, v: number): number {
  let value = level;
  let index = 0;
  for (const [cx, cy] of placesOf(across, down)) {
    value += (factors[index] ?? 0) * Math.cos(u * cx) * Math.cos(v * cy) * 2;
    index += 1;
  }
  return value;
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}
