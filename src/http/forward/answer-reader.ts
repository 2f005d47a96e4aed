// Reads one HTTP answer from the bytes of a connection between processes of this server, whose other end is Node's own server. Pure:
// it holds no connection. It throws at anything that such a server would not send.

const headEnd = Buffer.from("\r\n\r\n");
const lineEnd = Buffer.from("\r\n");
const maxHead = 64 * 1024;
/** Of a chunk's first line, and of what may follow the last one. */
const maxLine = 1_024;

export interface AnswerHead {
  status: number;
  reason: string;
  /** Names and values in turn, as they were sent. */
  headers: string[];
  /** Of the body. */
  length: number | undefined;
  isChunked: boolean;
  /** The connection can carry another request. */
  isKept: boolean;
}

export interface AnswerSteps {
  head(head: AnswerHead): void;
  /** Never called with nothing, except to say that it is the last time. */
  body(bytes: Buffer | undefined, isLast: boolean): void;
}

type Part = "head" | "body" | "size" | "chunk" | "gap" | "trailer" | "over";

/** Returns what takes in the bytes as they come. `isBodiless`: the answer to HEAD. */
export function createAnswerReader(isBodiless: boolean, steps: AnswerSteps): (bytes: Buffer) => void {
  let part: Part = "head";
  let kept: Buffer | undefined;
  /** Bytes of the body, or of the chunk, that have not come yet. */
  let left = 0;

  /** Up to the mark, without it; undefined when more has to come. */
  function takeUntil(bytes: Buffer, mark: Buffer, most: number): [found: Buffer, rest: Buffer] | undefined {
    const at = bytes.indexOf(mark);
    if (at > most || (at < 0 && bytes.length > most)) throw new Error("an answer of the writer is too long");
    if (at >= 0) return [bytes.subarray(0, at), bytes.subarray(at + mark.length)];
    kept = bytes;
    return undefined;
  }

  function takeHead(bytes: Buffer): Buffer | undefined {
    const [found, rest] = takeUntil(bytes, headEnd, maxHead) ?? [];
    if (!found) return undefined;
    const head = parseHead(found.toString("latin1"));
    // Nothing waits for what comes before the answer itself.
    if (head.status < 200) return rest;
    const hasNone = isBodiless || head.status === 204 || head.status === 304;
    steps.head(head);
    left = head.length ?? 0;
    if (hasNone || head.length === 0) end(undefined);
    else if (head.length === undefined && !head.isChunked) throw new Error("the writer sent an answer without an end");
    else part = head.length === undefined ? "size" : "body";
    return rest;
  }

  function end(last: Buffer | undefined): void {
    part = "over";
    steps.body(last, true);
  }

  /** What is left when a part was taken; undefined: more has to come. */
  function takePart(bytes: Buffer): Buffer | undefined {
    if (part === "head") return takeHead(bytes);
    if (part === "body") {
      const own = bytes.subarray(0, left);
      left -= own.length;
      if (left === 0) end(own);
      else steps.body(own, false);
      return bytes.subarray(own.length);
    }
    if (part === "chunk") {
      const own = bytes.subarray(0, left);
      left -= own.length;
      if (left === 0) part = "gap";
      steps.body(own, false);
      return bytes.subarray(own.length);
    }
    const [line, rest] = takeUntil(bytes, lineEnd, maxLine) ?? [];
    if (!line) return undefined;
    if (part === "gap") part = "size";
    else if (part === "size") {
      left = parseSize(line.toString("latin1"));
      part = left === 0 ? "trailer" : "chunk";
    } else if (line.length === 0) end(undefined);
    return rest;
  }

  return (more) => {
    let bytes: Buffer | undefined = kept ? Buffer.concat([kept, more]) : more;
    kept = undefined;
    while (bytes && bytes.length > 0) {
      if (part === "over") throw new Error("the writer sent more than an answer");
      bytes = takePart(bytes);
    }
  };
}

function parseHead(text: string): AnswerHead {
  const lines = text.split("\r\n");
  const first = /^HTTP\/1\.1 (\d{3})(?: (.*))?$/.exec(lines[0] as string);
  if (!first) throw new Error("the writer sent no answer");
  const headers: string[] = [];
  let length: number | undefined;
  let isChunked = false;
  let isKept = true;
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    headers.push(name, value);
    const lower = name.toLowerCase();
    if (lower === "content-length") length = Number(value);
    else if (lower === "transfer-encoding") isChunked = true;
    else if (lower === "connection" && value === "close") isKept = false;
  }
  return { status: Number(first[1]), reason: first[2] ?? "", headers, length, isChunked, isKept };
}

function parseSize(line: string): number {
  const size = /^[0-9a-f]{1,8}$/i.test(line) ? Number.parseInt(line, 16) : Number.NaN;
  if (Number.isNaN(size)) throw new Error("the writer sent a chunk without a size");
  return size;
}
