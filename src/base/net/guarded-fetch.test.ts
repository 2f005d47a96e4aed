import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { leastTime, until } from "#base/patience.fixture.ts";
import { type FetchOptions, guardedFetch, isPublicAddress } from "./guarded-fetch.ts";

const closings: (() => void)[] = [];
after(() => {
  for (const close of closings) close();
});

async function serve(listener: RequestListener, host = "127.0.0.1"): Promise<number> {
  const server = createServer(listener).listen(0, host);
  await once(server, "listening");
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const strict: FetchOptions = { allowPrivateHosts: false, maxRedirects: 5, timeoutMs: 20_000, maxBytes: 1_000_000 };
const open: FetchOptions = { ...strict, allowPrivateHosts: true };

async function read(address: string, options: FetchOptions): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await guardedFetch(address, options)).body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const refused = { word: "refused", message: "The file could not be fetched from that address." };

describe("addresses inside", () => {
  let hits = 0;
  let port = 0;
  let portOf6 = 0;
  const names: Record<string, string[]> = {
    "private.example": ["127.0.0.1"],
    "mixed.example": ["93.184.215.14", "127.0.0.1"],
    "six.example": ["::1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "metadata.example": ["169.254.169.254"],
    "none.example": [],
  };
  const resolve = async (hostname: string) => {
    const name = hostname.replace(/\.$/, "");
    if (/^localhost$|\.localhost$/.test(name)) return [{ address: "127.0.0.1", family: 4 }];
    return (names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  before(async () => {
    const canary: RequestListener = (_request, response) => {
      hits++;
      response.end("canary");
    };
    // On all addresses of this machine, so that each form below would arrive, were it let through.
    port = await serve(canary, "0.0.0.0");
    portOf6 = await serve(canary, "::").catch(() => port);
  });

  const hosts4 = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "127.1.2.3",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7F.0x0.0x0.0x1",
    "017700000001",
    "0177.0.0.1",
    "0177.0.0.01",
    "0x7f.0.0.1",
    "127.0.0.0x1",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "0.0.0.0",
    "0",
    "0x0",
    "00",
    "0.0.0.1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "private.example",
    "private.example.",
    "mixed.example",
    "mapped.example",
    "metadata.example",
    "none.example",
    "169.254.169.254",
    "0xA9FEA9FE",
    "2852039166",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "198.18.0.1",
    "168.63.129.16",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
  ];
  const hosts6 = [
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "six.example",
  ];
  for (const host of [...hosts4, ...hosts6]) {
    test(`FILE-27 (T47) ${host} is refused, and nothing is sent there`, async () => {
      const at = hosts6.includes(host) ? portOf6 : port;
      await assert.rejects(read(`http://${host}:${at}/`, { ...strict, resolve }), refused);
      await assert.rejects(read(`https://${host}:${at}/`, { ...strict, resolve }), refused);
      assert.equal(hits, 0);
    });
  }

  // Stands for the world outside; all other addresses are what they are.
  const outside: FetchOptions = {
    ...strict,
    resolve: async (hostname) =>
      hostname === "public.example" ? [{ address: "127.0.0.2", family: 4 }] : resolve(hostname),
    isPublic: (address) => address === "127.0.0.2" || isPublicAddress(address),
  };

  test("FILE-27 (T48) no redirect leads inside, whatever its notation", async () => {
    let location = "/arrived";
    const entry = await serve((request, response) => {
      if (request.url === "/arrived") response.end("outside");
      else response.writeHead(302, { location }).end();
    }, "127.0.0.2");
    const start = `http://public.example:${entry}/`;
    assert.equal(await read(start, outside), "outside");
    for (location of [
      ...hosts4.map((host) => `http://${host}:${port}/`),
      ...hosts6.map((host) => `http://${host}:${portOf6}/`),
      `//127.0.0.1:${port}/`,
      `http://a:b@public.example:${entry}/arrived`,
      "file:///etc/passwd",
      "data:text/plain,x",
      "http://",
    ]) {
      // A header is sent as bytes; a browser of our kind would have encoded it.
      location = encodeURI(location);
      await assert.rejects(read(start, outside), refused, location);
      assert.equal(hits, 0, location);
    }
  });

  test("FILE-27 (T48) a name that changes its address between hops is checked each time", async () => {
    const entry = await serve(
      (_request, response) => response.writeHead(302, { location: `http://rebind.example:${port}/` }).end(),
      "127.0.0.2",
    );
    const asked: string[] = [];
    const rebinding = async (hostname: string) => {
      asked.push(hostname);
      return [{ address: asked.length === 1 ? "127.0.0.2" : "127.0.0.1", family: 4 }];
    };
    await assert.rejects(read(`http://rebind.example:${entry}/`, { ...outside, resolve: rebinding }), refused);
    assert.deepEqual(asked, ["rebind.example", "rebind.example"]);
    assert.equal(hits, 0);
  });

  test("FILE-27 when private hosts are allowed, the same addresses reach the canary", async () => {
    for (const host of [...hosts4.slice(0, 30).filter((host) => host !== "0.0.0.1"), "[::ffff:127.0.0.1]"])
      assert.equal(await read(`http://${host}:${port}/`, { ...open, resolve }), "canary", host);
    assert.equal(hits, 30);
    hits = 0;
  });

  test("FILE-27 (T47) public addresses are distinguished from all others", () => {
    for (const address of ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
      assert.equal(isPublicAddress(address), true, address);
    for (const address of [
      "192.0.2.1",
      "203.0.113.1",
      "192.88.99.1",
      "2001:db8::1",
      "2001::1",
      "3fff::1",
      "4000::1",
      "100::1",
    ])
      assert.equal(isPublicAddress(address), false, address);
  });
});

describe("addresses", () => {
  for (const address of [
    "",
    "no address",
    "/etc/passwd",
    "//host/x",
    "http://",
    "file:///etc/passwd",
    "ftp://host/x",
    "data:text/plain,x",
    "gopher://host/",
    "javascript:alert(1)",
    "blob:http://host/x",
    "http://a@host/",
    "http://a:b@host/",
    "http://:b@host/",
  ]) {
    test(`FILE-28 (T50) ${JSON.stringify(address)} is refused as an address to fetch from`, async () => {
      await assert.rejects(guardedFetch(address, open), { word: "invalid" });
    });
  }

  test("FILE-28 (T50) closed, silent, failing and refused addresses look alike", async () => {
    const closed = await serve(() => {});
    closings.pop()?.();
    const silent = await serve(() => {});
    const failing = await serve((_request, response) => response.writeHead(500).end("secret remote text"));
    const errors: unknown[] = [];
    for (const [port, options] of [
      [closed, open],
      [silent, { ...open, timeoutMs: 300 }],
      [failing, open],
      [failing, strict],
    ] as const) {
      const error = await read(`http://127.0.0.1:${port}/`, options).then(
        () => assert.fail("it answered"),
        (e) => e,
      );
      errors.push({ ...error, message: error.message });
      assert.equal(error.cause, undefined);
    }
    for (const error of errors) assert.deepEqual(error, errors[0]);
  });
});

describe("bodies", () => {
  test("FILE-29 the file comes with the last name of its address and the type it claims", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/start") response.writeHead(301, { location: "/files/Sch%C3%B6n%20hier.txt?x=1" }).end();
      else response.writeHead(200, { "content-type": "text/plain" }).end("hello");
    });
    const { body, name, type } = await guardedFetch(`http://127.0.0.1:${port}/start`, open);
    assert.deepEqual([name, type], ["Schön hier.txt", "text/plain"]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    assert.equal(Buffer.concat(chunks).toString(), "hello");
  });

  test("FILE-29 redirects end somewhere", async () => {
    let hops = 0;
    const port = await serve((_request, response) => {
      hops++;
      response.writeHead(302, { location: "/again" }).end();
    });
    await assert.rejects(read(`http://127.0.0.1:${port}/`, { ...open, maxRedirects: 3 }), refused);
    assert.equal(hops, 4);
  });

  test("FILE-30 (T49) an endless body ends at the limit, and the connection with it", async () => {
    let isClosed = false;
    const port = await serve((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const send = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", send).on("close", () => {
        isClosed = true;
      });
      send();
    });
    await assert.rejects(read(`http://127.0.0.1:${port}/`, open), { word: "too-large" });
    assert.equal(await until(() => isClosed), true);
  });

  test("FILE-30 (T49) a length over the limit is refused before the body", async () => {
    const port = await serve((_request, response) =>
      response.writeHead(200, { "content-length": 2_000_000 }).write("x"),
    );
    await assert.rejects(guardedFetch(`http://127.0.0.1:${port}/`, open), { word: "too-large" });
  });

  test("FILE-30 (T49) a body shorter than its length is refused", async () => {
    const port = await serveRaw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
    await assert.rejects(read(`http://127.0.0.1:${port}/`, open), refused);
  });

  test("FILE-30 (T49) a gzip bomb is counted as it unpacks", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    assert.ok(bomb.length < 100_000);
    const port = await serve((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    await assert.rejects(read(`http://127.0.0.1:${port}/`, open), { word: "too-large" });
  });

  test("FILE-30 a packed body is unpacked, an unknown packing or a broken one refused", async () => {
    let encoding = "gzip";
    let body = gzipSync("hello");
    const port = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(body),
    );
    assert.equal(await read(`http://127.0.0.1:${port}/`, open), "hello");
    body = Buffer.from("not packed at all");
    await assert.rejects(read(`http://127.0.0.1:${port}/`, open), refused);
    encoding = "constructor";
    await assert.rejects(read(`http://127.0.0.1:${port}/`, open), refused);
  });

  test("FILE-30 (T49) a body that stalls, and one that trickles, are refused", async () => {
    const still = await serve((_request, response) => response.write("x"));
    const standing = () => assert.rejects(read(`http://127.0.0.1:${still}/`, { ...open, timeoutMs: 900 }), refused);
    assert.ok((await leastTime(2_500, standing)) < 2_500);

    const trickling = await serve((_request, response) => {
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    });
    const drops = () => assert.rejects(read(`http://127.0.0.1:${trickling}/`, { ...open, timeoutMs: 600 }), refused);
    assert.ok((await leastTime(2_500, drops)) < 2_500);
  });
});

async function serveRaw(answer: string): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => socket.end(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
