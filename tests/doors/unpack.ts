// An answer as it can be read: what is packed (gzip, Brotli, zip) is unpacked, at every depth.

import { brotliDecompressSync, gunzipSync, inflateRawSync } from "node:zlib";

/** The bytes themselves and whatever is packed in them, as text whose characters are the bytes. */
export function unpack(bytes: Buffer, encoding = ""): string {
  if (encoding === "br") return unpack(brotliDecompressSync(bytes));
  if (encoding === "gzip" || (bytes[0] === 0x1f && bytes[1] === 0x8b)) return unpack(gunzipSync(bytes));
  const text = bytes.toString("latin1");
  if (!text.startsWith("PK\x03\x04")) return text;
  return [text, ...entriesOf(bytes)].join("\n");
}

/** By the directory at the end of a zip, also of one that was written in a stream (Zip64). */
function entriesOf(zip: Buffer): string[] {
  const end = zip.lastIndexOf("PK\x05\x06");
  if (end < 0) throw new Error("a zip without its directory");
  const far = zip.lastIndexOf("PK\x06\x06");
  const entries: string[] = [];
  let at = far < 0 ? zip.readUInt32LE(end + 16) : Number(zip.readBigUInt64LE(far + 48));
  const count = far < 0 ? zip.readUInt16LE(end + 10) : Number(zip.readBigUInt64LE(far + 32));
  for (let left = count; left > 0; left -= 1) {
    const [name, extra] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const wide = wideFields(zip.subarray(at + 46 + name, at + 46 + name + extra));
    const field = (offset: number) => {
      const value = zip.readUInt32LE(at + offset);
      return value === 0xffffffff ? Number(wide.shift()) : value;
    };
    const [, size = 0, start = 0] = [field(24), field(20), field(42)];
    const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const packed = zip.subarray(data, data + size);
    const method = zip.readUInt16LE(at + 10);
    if (method !== 0 && method !== 8) throw new Error(`an entry of a zip is packed by method ${method}`);
    entries.push(unpack(method === 8 ? inflateRawSync(packed) : packed));
    at += 46 + name + extra + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/** The numbers of an entry that have no room in 32 bits, in their order. */
function wideFields(extra: Buffer): bigint[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const size = extra.readUInt16LE(at + 2);
    return Array.from({ length: Math.floor(size / 8) }, (_, n) => extra.readBigUInt64LE(at + 4 + n * 8));
  }
  return [];
}
