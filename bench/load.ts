// The load client: wrk, on a core of its own where that is possible, or autocannon where wrk cannot be had, which is slower
// than the server and measures itself.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";

export interface Request {
  method: string;
  path: string;
  /** `@N@` in a body becomes a number that is never used twice. */
  body?: string;
}

export interface Load {
  url: string;
  headers: Record<string, string>;
  requests: Request[];
  connections: number;
  seconds: number;
  /** Its client gets only what the rest leaves of the processors, as if it were another machine. */
  isElsewhere?: boolean;
}

export interface Measured {
  /** Requests a second. */
  rate: number;
  requests: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Answers that were not 2xx, and broken connections. */
  errors: number;
}

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;
const hasWrk = has("wrk") || installWrk();
let serial = Date.now() % 1_000_000_000;
/** Where the next run begins in its requests: behind those of the runs before it, whose answers may be kept. */
let begin = 0;

/** The client keeps to one core. Servers run where the system puts them, as in any installation. */
function onOwnCore(command: string[]): [string, string[]] {
  const [first, ...rest] = canPin ? ["taskset", "-c", "1", ...command] : command;
  return [first as string, rest];
}

export function runLoad(load: Load): Promise<Measured> {
  serial += 10_000_000;
  return hasWrk ? runWrk(load) : runAutocannon(load);
}

export const loadClient = hasWrk ? "wrk" : "autocannon";

// Requests are built once; only bodies with a serial number are built for each request.
const lua = `
local requests, serials = {}, {}
local at, serial = BEGIN, SERIAL
function init(args)
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
    if body == "" then body = nil end
    if body and body:find("@N@", 1, true) then
      requests[#requests + 1] = { method, path, body }
    else
      requests[#requests + 1] = wrk.format(method, path, nil, body)
    end
  end
end
function request()
  at = at % #requests + 1
  local found = requests[at]
  if type(found) == "string" then return found end
  serial = serial + 1
  return wrk.format(found[1], found[2], nil, (found[3]:gsub("@N@", tostring(serial))))
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"us":%d,"p50":%f,"p99":%f,"errors":%d}', summary.requests, summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, e.connect + e.read + e.write + e.status + e.timeout))
end
`;

function runWrk(load: Load): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-wrk-"));
  const script = join(folder, "load.lua");
  const list = join(folder, "requests.txt");
  writeFileSync(script, lua.replace("SERIAL", String(serial)).replace("BEGIN", String(begin)));
  writeFileSync(
    list,
    load.requests.map(({ method, path, body }) => `${method} ${path}${body ? ` ${body}` : ""}\n`).join(""),
  );
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const args = [
    "-t1",
    `-c${load.connections}`,
    `-d${load.seconds}s`,
    "--timeout",
    "30s",
    ...headers,
    "-s",
    script,
    load.url,
    "--",
    list,
  ];
  const [command, rest] = onOwnCore([...(load.isElsewhere ? ["nice", "-n", "10"] : []), "wrk", ...args]);
  return new Promise((done, failed) => {
    const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("error", failed);
    child.once("close", () => {
      rmSync(folder, { recursive: true, force: true });
      const found = /RESULT (\{.*\})/.exec(output);
      if (!found) return failed(new Error(`wrk said: ${output}`));
      const { us, ...result } = JSON.parse(found[1] as string) as Measured & { us: number };
      begin += result.requests;
      done({ ...result, rate: result.requests / (us / 1_000_000) });
    });
  });
}

async function runAutocannon(load: Load): Promise<Measured> {
  const numbered = (body: string) =>
    body.replaceAll("@N@", () => {
      serial += 1;
      return String(serial);
    });
  const result = await autocannon({
    url: load.url,
    headers: load.headers,
    connections: load.connections,
    duration: load.seconds,
    requests: load.requests.map(({ method, path, body }) => ({
      method: method as "GET",
      path,
      ...(body && { setupRequest: (request) => ({ ...request, body: numbered(body) }) }),
    })),
  });
  const { latency, requests, non2xx, errors } = result;
  return {
    rate: requests.average,
    requests: requests.total,
    p50: latency.p50,
    p99: latency.p99,
    errors: non2xx + errors,
  };
}

function has(command: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
}

function installWrk(): boolean {
  if (process.getuid?.() !== 0 || !has("apt-get")) return false;
  try {
    execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "wrk"], { stdio: "ignore" });
  } catch {
    return false;
  }
  return has("wrk");
}
