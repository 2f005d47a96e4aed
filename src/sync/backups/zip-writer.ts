// Writes a zip file in one pass: entries of any size and number, each checked by size and CRC-32 in front of its bytes.
// The file is synced when it is finished; the caller renames it then.

import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** Deflating harder costs more time than the bytes are worth. */
const level = 1;
/** Smaller entries are not compressed. */
const packedFrom = 4_096;
const writeSize = 1024 * 1024;
const ownerOnly = 0o600;

const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
  end: 0x06054b50,
};
/** Of the format with sizes in 64 bits, which is used throughout; made on a system with file modes. */
const version = 45;
const madeBy = (3 << 8) | version;
const utf8Names = 0x0800;
const methods = { stored: 0, deflated: 8 };
const in64 = 0xffffffff;
const count64 = 0xffff;
const localExtra = 20;
const centralExtra = 28;

export interface ZipWriter {
  add(name: string, chunks: AsyncIterable<Uint8Array>, options: { isPacked: boolean }): Promise<void>;
  finish(): Promise<void>;
  /** Closes the file as it is. */
  abandon(): Promise<void>;
}

interface Entry {
  name: Buffer;
  method: number;
  crc: number;
  size: number;
  packedSize: number;
  offset: number;
}

export async function createZip(file: string): Promise<ZipWriter> {
  const handle = await open(file, "w", ownerOnly);
  const output = createOutput(handle);
  const entries: Entry[] = [];
  const time = dosTime(new Date());

  return {
    async add(name, chunks, { isPacked }) {
      const source = chunks[Symbol.asyncIterator]();
      const first = await source.next();
      const isSmall = !first.done && first.value.length < packedFrom;
      const method = isPacked || isSmall || first.done ? methods.stored : methods.deflated;
      const entry: Entry = {
        ...{ name: Buffer.from(name), method, crc: 0, size: 0, packedSize: 0 },
        offset: output.position(),
      };
      const header = localHeader(entry, time);
      await output.append(header);
      const counted = count(entry, first, source);
      for await (const chunk of method === methods.stored ? counted : deflate(counted)) {
        entry.packedSize += chunk.length;
        await output.append(chunk);
      }
      // Size and CRC are known only now.
      await output.replace(header, localHeader(entry, time), entry.offset);
      entries.push(entry);
    },
    async finish() {
      const start = output.position();
      for (const entry of entries) await output.append(centralRecord(entry, time));
      await output.append(endRecords(entries.length, start, output.position()));
      await output.flush();
      await handle.sync();
      await handle.close();
    },
    abandon: () => handle.close(),
  };
}

interface Output {
  position(): number;
  append(bytes: Uint8Array): Promise<void>;
  replace(old: Buffer, bytes: Buffer, position: number): Promise<void>;
  flush(): Promise<void>;
}

/** Many small writes become few large ones. */
function createOutput(handle: FileHandle): Output {
  let waiting: Uint8Array[] = [];
  let waitingSize = 0;
  let flushed = 0;

  async function flush(): Promise<void> {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingSize = 0;
    await writeAll(handle, bytes, flushed);
    flushed += bytes.length;
  }
  return {
    position: () => flushed + waitingSize,
    async append(bytes) {
      waiting.push(bytes);
      waitingSize += bytes.length;
      if (waitingSize >= writeSize) await flush();
    },
    async replace(old, bytes, position) {
      if (position >= flushed) bytes.copy(old);
      else await writeAll(handle, bytes, position);
    },
    flush,
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, from, bytes.length - from, position + from);
    from += bytesWritten;
  }
}

async function* count(
  entry: Entry,
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  for (let next = first; !next.done; next = await rest.next()) {
    entry.crc = crc32(next.value, entry.crc);
    entry.size += next.value.length;
    yield next.value;
  }
}

async function* deflate(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = Readable.from(chunks, { objectMode: false, highWaterMark: writeSize });
  const packer = createDeflateRaw({ level });
  source.on("error", (error) => packer.destroy(error));
  try {
    yield* source.pipe(packer);
  } finally {
    source.destroy();
  }
}

function localHeader({ name, method, crc, size, packedSize }: Entry, time: number): Buffer {
  const header = Buffer.alloc(30 + name.length + localExtra);
  header.writeUInt32LE(signatures.local, 0);
  writeCommon(header, 4, { method, time, crc });
  header.writeUInt32LE(in64, 18);
  header.writeUInt32LE(in64, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(localExtra, 28);
  name.copy(header, 30);
  writeExtra(header, 30 + name.length, [size, packedSize]);
  return header;
}

function centralRecord({ name, method, crc, size, packedSize, offset }: Entry, time: number): Buffer {
  const record = Buffer.alloc(46 + name.length + centralExtra);
  record.writeUInt32LE(signatures.central, 0);
  record.writeUInt16LE(madeBy, 4);
  writeCommon(record, 6, { method, time, crc });
  record.writeUInt32LE(in64, 20);
  record.writeUInt32LE(in64, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(centralExtra, 30);
  record.writeUInt32LE((0o100000 | ownerOnly) * 0x10000, 38);
  record.writeUInt32LE(in64, 42);
  name.copy(record, 46);
  writeExtra(record, 46 + name.length, [size, packedSize, offset]);
  return record;
}

function writeCommon(
  target: Buffer,
  at: number,
  { method, time, crc }: { method: number; time: number; crc: number },
): void {
  target.writeUInt16LE(version, at);
  target.writeUInt16LE(utf8Names, at + 2);
  target.writeUInt16LE(method, at + 4);
  target.writeUInt32LE(time, at + 6);
  target.writeUInt32LE(crc, at + 10);
}

function writeExtra(target: Buffer, at: number, values: number[]): void {
  target.writeUInt16LE(1, at);
  target.writeUInt16LE(values.length * 8, at + 2);
  for (const [nth, value] of values.entries()) target.writeBigUInt64LE(BigInt(value), at + 4 + nth * 8);
}

function endRecords(count: number, start: number, position: number): Buffer {
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(signatures.end64, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(madeBy, 12);
  end64.writeUInt16LE(version, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(position - start), 40);
  end64.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(signatures.locator64, 0);
  locator.writeBigUInt64LE(BigInt(position), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(count64, 8);
  end.writeUInt16LE(count64, 10);
  end.writeUInt32LE(in64, 12);
  end.writeUInt32LE(in64, 16);
  return Buffer.concat([end64, locator, end]);
}

/** As the format wants it: seconds in pairs, years since 1980. */
function dosTime(now: Date): number {
  const date = ((now.getUTCFullYear() - 1980) << 9) | ((now.getUTCMonth() + 1) << 5) | now.getUTCDate();
  const clock = (now.getUTCHours() << 11) | (now.getUTCMinutes() << 5) | (now.getUTCSeconds() >> 1);
  return date * 0x10000 + clock;
}
