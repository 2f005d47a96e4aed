// A deterministic mutator: the same seed always damages the same bytes in the same way.

export function mutate(bytes: Buffer, seed: number): Buffer {
  const next = random(seed);
  const place = (size: number) => next() % Math.max(1, size);
  const damage = [
    (image: Buffer) => image.fill(next() & 0xff, place(image.length), place(image.length)),
    (image: Buffer) => image.subarray(0, 1 + place(image.length)),
    (image: Buffer) => Buffer.concat([image.subarray(0, place(image.length)), image.subarray(place(image.length))]),
    // Lengths and sizes are where parsers break.
    (image: Buffer) =>
      write(image, place(image.length - 4), [0, 0x7fffffff, 0xffffffff, 0xffff, 1][place(5)] as number),
    ...Array.from({ length: 8 }, () => (image: Buffer) => {
      for (let left = 1 + place(6); left > 0; left -= 1) image[place(image.length)] = next() & 0xff;
      return image;
    }),
  ];
  return (damage[place(damage.length)] as (image: Buffer) => Buffer)(Buffer.from(bytes));
}

function write(image: Buffer, at: number, value: number): Buffer {
  image.writeUInt32BE(value, at);
  return image;
}

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed + 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
