// Images made to measure: which image, which format, which size, how long they are kept, and when they are gone.

import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { type Server, startServer } from "../../harness.ts";
import { fetchBytes, formOf, picture, sizeOf, upload } from "../../support/sample-files.ts";

let server: Server;
const photo = await picture(400, 200, { isSplit: true });
before(async () => {
  server = await startServer({
    settings: { imageworks: { presets: { tiny: { w: 16 }, cut: { w: 20, h: 20, fit: "crop", fm: "png" } } } },
  });
  await server.makeSchema({
    id: "leaf",
    properties: { id: { type: "slug" }, pic: { type: "image" } },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "album",
    properties: {
      id: { type: "slug" },
      draft: { type: "boolean" },
      image: { type: "image" },
      marked: { type: "image", settings: { watermark: { marktext: "CAIRN", marktextcolor: "000000", limit: 50 } } },
      gallery: { type: "gallery" },
      depot: { type: "depot" },
      text: { type: "string", field: "styledtext" },
      card: { type: "card", schemaref: "/schemas/leaf.json" },
      deck: { type: "deck", schemaref: "/schemas/leaf.json" },
    },
    required: ["id"],
    index: ["id"],
  });
  await server.makeCollection({ id: "albums", schema: "album", publicOperations: ["read"] });
  await server.makeCollection({ id: "private", schema: "album" });
  await server.request("POST", "/api/collections/albums", { body: { id: "a", card: {}, deck: [{ id: "one" }] } });
  await server.request("POST", "/api/collections/private", { body: { id: "a" } });
  await upload(server, "albums/a/image", { name: "photo.jpg", bytes: photo });
  await upload(server, "private/a/image", { name: "photo.jpg", bytes: photo });
  await upload(server, "albums/a/marked", { name: "marked.png", bytes: await picture(200, 100, { format: "png" }) });
  for (const [name, color] of [
    ["one.jpg", "#ff0000"],
    ["two.png", "#00ff00"],
    ["one.png", "#0000ff"],
  ] as const) {
    const format = name.endsWith("png") ? "png" : "jpeg";
    await upload(server, "albums/a/gallery", { name, bytes: await picture(60, 40, { format, color }) });
  }
  await upload(server, "albums/a/depot/deep", {
    field: "deep",
    name: "d.png",
    bytes: await picture(30, 30, { format: "png" }),
  });
  await upload(server, "albums/a/depot", { name: "notes.txt", bytes: "no image" });
  await upload(server, "albums/a/card/pic", { field: "pic", name: "c.jpg", bytes: photo });
  await upload(server, "albums/a/deck/one/pic", { field: "pic", name: "d.jpg", bytes: photo });
});
after(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}, key: string | null = null) =>
  fetchBytes(server, `/imageworks/${path}`, { headers, key });

/** The colour of the middle. */
async function colourOf(bytes: Buffer): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(at, at + 3)].map((part) => (part > 127 ? "1" : "0")).join("");
}

test("IW-1 an image is found by its property, and made in the format of the path", async () => {
  const { status, headers, bytes } = await get("albums/a/image.webp?w=100");
  assert.deepEqual([status, headers["content-type"]], [200, "image/webp"]);
  assert.deepEqual(await sizeOf(bytes), { width: 100, height: 50, format: "webp" });
  assert.equal(headers["content-length"], String(bytes.length));
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["x-robots-tag"], undefined);
  for (const [format, made] of [
    ["jpg", "jpeg"],
    ["jpeg", "jpeg"],
    ["png", "png"],
    ["avif", "heif"],
    ["gif", "gif"],
  ] as const) {
    assert.equal((await sizeOf((await get(`albums/a/image.${format}?w=20`)).bytes)).format, made);
  }
});

test("IW-2 without parameters and in the stored format it is the stored image, byte for byte", async () => {
  for (const path of [
    "albums/a/image.jpg",
    "albums/a/image.jpeg",
    "albums/a/image",
    "albums/a/image.jpg?v=x&unknown=1",
  ]) {
    assert.ok((await get(path)).bytes.equals(photo), path);
  }
  assert.ok(!(await get("albums/a/image.jpg?quality=50")).bytes.equals(photo));
  assert.equal((await sizeOf((await get("albums/a/image.png")).bytes)).format, "png");
});

test("IW-3 the parameter format overrides the path, and auto takes the format that the client prefers", async () => {
  assert.equal((await get("albums/a/image.jpg?format=webp&w=20")).headers["content-type"], "image/webp");
  for (const [accept, type] of [
    ["image/avif,image/webp,*/*", "image/avif"],
    ["image/webp,*/*", "image/webp"],
    ["*/*", "image/jpeg"],
  ] as const) {
    const { headers } = await get("albums/a/image.jpg?format=auto&w=20", { accept });
    assert.deepEqual([headers["content-type"], headers.vary], [type, "Accept"]);
  }
  assert.equal((await get("albums/a/image.jpg?w=20", { accept: "image/webp" })).headers.vary, undefined);
});

test("IW-4 values out of bounds are refused by name (T37, T38)", async () => {
  for (const query of [
    "w=0",
    "w=1e3",
    "w=1.5",
    "h=-1",
    "w=100000",
    "quality=0",
    "quality=101",
    "blur=0",
    "gamma=3.1",
    "brightness=-101",
    "contrast=101",
    "sharpen=0",
    "grayscale=1",
    "format=svg",
    "fit=zoom",
    "w=",
    "dpr=9",
  ]) {
    const { status, body } = await server.request("GET", `/imageworks/albums/a/image.jpg?${query}`, { key: null });
    assert.equal(status, 400, query);
    assert.deepEqual(Object.keys(body.error.details), [query.split("=")[0]], query);
  }
});

test("IW-5 a parameter that is given twice is refused (T38)", async () => {
  for (const query of ["w=1&w=2", "w=10&w=10", "q=50&quality=50"]) {
    assert.equal((await get(`albums/a/image.jpg?${query}`)).status, 400, query);
  }
});

test("IW-6 order, unknown names and short names make no other variant (T39)", async () => {
  const queries = ["w=33&quality=70", "quality=70&w=33", "q=70&w=33&utm_source=x", "w=33&q=70&cache=abc&v=1"];
  queries.push("%77=33&q=070", "w=0033&q=70&W=99&Quality=1&fit=inside&");
  const foreign = {
    "x-forwarded-host": "evil.test",
    "x-original-url": "/imageworks/private/a/image.jpg",
    accept: "image/avif",
  };
  const answers = await Promise.all([
    ...queries.map((query) => get(`albums/a/image.jpg?${query}`)),
    get("albums/%61/image.jpg?w=33&q=70", foreign),
  ]);
  assert.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 1);
  const folder = join(server.dataDir, "albums", "a", "image", ".cache", "photo.jpg");
  const before = readdirSync(folder).length;
  await get("albums/a/image.jpg?w=33&q=70&zzz=1");
  await get("albums/a/image.jpg?w=4000&q=71");
  await get("albums/a/image.jpg?w=5000&q=71");
  assert.equal(readdirSync(folder).length, before + 1);
});

test("IW-7 presets are the base, explicit parameters win, unknown ones are refused", async () => {
  assert.equal((await sizeOf((await get("albums/a/image.jpg?p=tiny")).bytes)).width, 16);
  assert.deepEqual(await sizeOf((await get("albums/a/image.jpg?p=cut&w=10")).bytes), {
    width: 10,
    height: 20,
    format: "png",
  });
  assert.equal((await get("albums/a/image.jpg?p=none")).status, 400);
  await server.request("PUT", "/api/settings/imageworks", { body: { defaults: { fm: "webp", q: 40 } } });
  const typeOf = async (path: string) => (await get(`albums/a/${path}`)).headers["content-type"];
  assert.equal(await typeOf("image.png?w=9"), "image/png");
  assert.equal(await typeOf("image.jpg?w=9&format=avif"), "image/avif");
  assert.equal(await typeOf("image?w=9"), "image/webp");
  assert.equal(await typeOf("gallery/first"), "image/webp");
  await server.request("PUT", "/api/settings/imageworks", { body: { defaults: {} } });
  assert.ok((await get("albums/a/image.jpg")).bytes.equals(photo));
});

test("IW-8 fits: inside, outside, fill, cover, contain, crop; pixels are never made up", async () => {
  const size = async (query: string) => {
    const { width, height } = await sizeOf((await get(`albums/a/image.png?${query}`)).bytes);
    return [width, height];
  };
  assert.deepEqual(await size("w=100&h=100"), [100, 50]);
  assert.deepEqual(await size("w=100&h=100&fit=inside"), [100, 50]);
  assert.deepEqual(await size("w=100&h=100&fit=outside"), [200, 100]);
  assert.deepEqual(await size("w=100&h=100&fit=fill"), [100, 100]);
  assert.deepEqual(await size("w=100&h=100&fit=cover"), [100, 100]);
  assert.deepEqual(await size("w=100&h=100&fit=contain"), [100, 100]);
  assert.deepEqual(await size("w=100&h=100&fit=crop"), [100, 100]);
  assert.deepEqual(await size("w=1000"), [400, 200]);
  assert.deepEqual(await size("w=50&dpr=2"), [100, 50]);
  assert.deepEqual(await size("w=8000&h=8000&fit=outside"), [400, 200]);
});

test("IW-9 crop keeps the focal point in view", async () => {
  await server.request("PATCH", "/api/collections/albums/a/image", { body: { focalpoint: { x: 0, y: 50 } } });
  assert.equal(await colourOf((await get("albums/a/image.png?w=50&h=50&fit=crop")).bytes), "111");
  await server.request("PATCH", "/api/collections/albums/a/image", { body: { focalpoint: { x: 100, y: 50 } } });
  assert.equal(await colourOf((await get("albums/a/image.png?w=50&h=50&fit=crop")).bytes), "100");
});

test("IW-10 images of a gallery are found by name; the whole name wins over its stem", async () => {
  for (const [name, colour] of [
    ["one.jpg", "100"],
    ["one.png", "001"],
    ["one.webp", "100"],
    ["one.png.webp", "001"],
    ["two.jpg", "010"],
  ] as const) {
    const { status, bytes } = await get(`albums/a/gallery/${name}`);
    assert.equal(status, 200, name);
    assert.equal(await colourOf(bytes), colour, name);
  }
  for (const name of ["three.jpg", "one", "one.bmp", "one.exe", "", "one.jpg/x.jpg"]) {
    assert.equal((await get(`albums/a/gallery/${name}`)).status, 404, name);
  }
});

test("IW-11 first, last, random and featured pick an image", async () => {
  assert.equal(await colourOf((await get("albums/a/gallery/first")).bytes), "100");
  assert.equal(await colourOf((await get("albums/a/gallery/last?w=10&format=webp")).bytes), "001");
  const { headers } = await get("albums/a/gallery/random");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers.etag, undefined);
  const seen = new Set<string>();
  for (let round = 0; round < 60 && seen.size < 3; round += 1)
    seen.add(await colourOf((await get("albums/a/gallery/random")).bytes));
  assert.equal(seen.size, 3);
  await server.request("PATCH", "/api/collections/albums/a/gallery/two.png", { body: { featured: true } });
  for (let round = 0; round < 5; round += 1)
    assert.equal(await colourOf((await get("albums/a/gallery/featured")).bytes), "010");
  assert.equal((await get("private/a/gallery/first", {}, server.key)).status, 404);
});

test("IW-12 children of cards and deck items, depots, and uploads of the editor have images too", async () => {
  for (const path of ["card/pic.webp", "deck/one/pic.png", "depot/deep/d.webp"]) {
    assert.equal((await get(`albums/a/${path}?w=10`)).status, 200, path);
  }
  for (const path of [
    "depot/notes.jpg",
    "depot/notes.txt",
    "depot/d.png",
    "card/none.jpg",
    "deck/two/pic.jpg",
    "id.jpg",
    "none.jpg",
  ]) {
    assert.equal((await get(`albums/a/${path}`)).status, 404, path);
  }
  const form = formOf({ field: "file", name: "in text.png", bytes: await picture(50, 50, { format: "png" }) });
  const { body } = await server.request("POST", "/api/upload/albums/a/text", form);
  assert.match(body.link, /^\/imageworks\/upload\/albums\/a\/text\/in%20text\.png/);
  const made = await fetchBytes(server, `${body.link}${body.link.includes("?") ? "&" : "?"}w=10&format=webp`, {
    key: null,
  });
  assert.deepEqual(await sizeOf(made.bytes), { width: 10, height: 10, format: "webp" });
});

test("IW-13 the short forms are those of the collections image and gallery", async () => {
  await server.request("POST", "/api/collections/image", { body: { id: "logo" } });
  await upload(server, "image/logo/image", { name: "logo.jpg", bytes: photo });
  await server.request("POST", "/api/collections/gallery", { body: { id: "trip" } });
  await upload(server, "gallery/trip/gallery", { name: "day.jpg", bytes: photo });
  assert.equal((await get("logo.webp?w=10", {}, server.key)).headers["content-type"], "image/webp");
  assert.equal((await get("trip/day.webp?w=10", {}, server.key)).headers["content-type"], "image/webp");
  assert.equal((await get("trip/first", {}, server.key)).status, 200);
  assert.equal((await get("logo.webp?w=10")).status, 401);
});

test("IW-14 an address with a version is cached forever, others for a while", async () => {
  const { body } = await server.request("GET", "/api/collections/albums/a");
  const { hash, url } = body.data.image;
  const kept = async (path: string, key: string | null = null) => (await get(path, {}, key)).headers["cache-control"];
  assert.ok(url.endsWith(`?v=${hash}`));
  assert.equal(await kept(url.replace("/imageworks/", "")), "public, max-age=31536000, immutable");
  assert.equal(await kept(`albums/a/image.webp?w=10&v=${hash}`), "public, max-age=31536000, immutable");
  assert.equal(await kept("albums/a/image.webp?w=10&v=other"), "public, max-age=300");
  assert.equal(await kept("albums/a/image.webp?w=10"), "public, max-age=300");
  assert.equal(await kept("private/a/image.webp?w=10", server.key), "private, max-age=300");
  // Neither a focal point nor a mark is of the version.
  for (const query of ["w=10&h=10&fit=crop", "p=cut", "marktext=x"])
    assert.equal(await kept(`albums/a/image.webp?${query}&v=${hash}`), "public, max-age=300", query);
  assert.match((await kept(`albums/a/image.webp?w=9&h=9&fit=crop-0-0&v=${hash}`)) ?? "", /immutable/);
  const { headers } = await get("albums/a/image.webp?w=10");
  for (const path of ["albums/a/image.webp?w=10", `albums/a/image.webp?w=10&v=${hash}`]) {
    assert.equal((await get(path, { "if-none-match": headers.etag as string })).status, 304);
  }
});

test("IW-15 derived images end with a replaced, deleted or closed image (T41)", async () => {
  await server.request("POST", "/api/collections/albums", { body: { id: "b" } });
  await upload(server, "albums/b/image", {
    name: "x.png",
    bytes: await picture(40, 40, { format: "png", color: "#ff0000" }),
  });
  const path = "albums/b/image.png?w=20";
  const first = await get(path);
  assert.equal(await colourOf(first.bytes), "100");
  await upload(server, "albums/b/image", {
    name: "x.png",
    bytes: await picture(40, 40, { format: "png", color: "#0000ff" }),
  });
  const second = await get(path, { "if-none-match": first.headers.etag as string });
  assert.deepEqual([second.status, await colourOf(second.bytes)], [200, "001"]);
  const folder = join(server.dataDir, "albums", "b");
  await server.request("PATCH", "/api/collections/albums/settings", { body: { publicOperations: [] } });
  assert.equal((await get(path)).status, 401);
  assert.equal((await get(path, {}, server.key)).headers["cache-control"], "private, max-age=300");
  await server.request("PATCH", "/api/collections/albums/settings", { body: { publicOperations: ["read"] } });
  await server.request("PATCH", "/api/collections/albums/b", { body: { draft: true } });
  assert.equal((await get(path)).status, 404);
  await server.request("DELETE", "/api/collections/albums/b/image");
  assert.equal((await get(path, {}, server.key)).status, 404);
  assert.equal(existsSync(join(folder, "image", ".cache")), false);
  await server.request("DELETE", "/api/collections/albums/b");
  assert.equal((await get(path, {}, server.key)).status, 404);
});

test("IW-16 the field's watermark cannot be asked away", async () => {
  const plain = await colours("albums/a/marked.png?w=50");
  assert.equal(plain, 1);
  for (const query of ["", "?w=150", "?marktext=x&marktextalpha=0", "?mark=none"]) {
    assert.ok((await colours(`albums/a/marked.png${query}`)) > 1, query);
  }
});

test("EDI-5 lite has no watermarks, standard and pro have; a running server follows at once", async () => {
  const setEdition = async (edition: string) => {
    const { code, stderr } = await server.cli(["settings:set", "edition", edition]);
    if (code !== 0) throw new Error(stderr);
  };
  try {
    for (const edition of ["lite", "standard", "lite", "pro"]) {
      await setEdition(edition);
      const isMarked = edition !== "lite";
      for (const path of ["marked.png?w=150", "marked.png", "gallery/two.png?marktext=x&marktextcolor=f00"]) {
        for (let round = 0; round < 2; round += 1) {
          assert.equal((await colours(`albums/a/${path}`)) > 1, isMarked, `${edition} ${path}`);
        }
      }
      assert.equal((await get("albums/a/gallery/two.png?mark=none")).status, isMarked ? 400 : 200, edition);
      assert.equal((await get("albums/a/gallery/two.png?markalpha=101")).status, 400, edition);
    }
  } finally {
    await setEdition("pro");
  }
});

async function colours(path: string): Promise<number> {
  const { status, bytes } = await get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${bytes}`);
  const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const seen = new Set<string>();
  for (let at = 0; at < data.length; at += 3) seen.add(data.subarray(at, at + 3).toString("hex"));
  return seen.size;
}

test("IW-17 watermarks come from the gallery of that name", async () => {
  await server.request("POST", "/api/collections/gallery", { body: { id: "watermarks" } });
  await upload(server, "gallery/watermarks/gallery", {
    name: "stamp.png",
    bytes: await picture(10, 10, { format: "png", color: "#0000ff" }),
  });
  const { bytes } = await get("albums/a/gallery/two.png?mark=stamp&markw=100w&markpos=center");
  assert.equal(await colourOf(bytes), "001");
  const { status, body } = await server.request("GET", "/imageworks/albums/a/gallery/two.png?mark=other", {
    key: null,
  });
  assert.deepEqual([status, Object.keys(body.error.details)], [400, ["mark"]]);
});

test("IW-18 many requests for one new image make it once (T40)", async () => {
  const renders = async () =>
    Number(/^cairn_image_renders (\d+)/m.exec((await server.request("GET", "/metrics")).text)?.[1]);
  const before = await renders();
  const answers = await Promise.all(Array.from({ length: 50 }, () => get("albums/a/image.webp?w=77&blur=3")));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.ok(answers.every(({ bytes }) => bytes.equals(answers[0]?.bytes as Buffer)));
  assert.equal((await renders()) - before, 1);
});

test("IW-19 derived images carry no location (T43)", async () => {
  const bytes = await sharp(photo)
    .withExif({ IFD0: { Make: "Camera" }, IFD3: { GPSLatitude: "52/1 30/1 0/1", GPSLatitudeRef: "N" } })
    .jpeg()
    .toBuffer();
  await upload(server, "albums/a/card/pic", { field: "pic", name: "gps.jpg", bytes });
  for (const query of ["w=100", "format=webp", "quality=80"]) {
    const made = await sharp((await get(`albums/a/card/pic.jpg?${query}`)).bytes).metadata();
    assert.equal(made.exif, undefined, query);
  }
});

test("IW-20 HEAD has the headers of GET", async () => {
  const path = "/imageworks/albums/a/image.webp?w=31";
  const head = await fetchBytes(server, path, { method: "HEAD", key: null });
  const get = await fetchBytes(server, path, { key: null });
  assert.deepEqual([head.status, head.bytes.length], [200, 0]);
  for (const name of ["content-length", "content-type", "etag", "cache-control"])
    assert.equal(head.headers[name], get.headers[name]);
});

test("IW-21 a drawing is a picture, and its own bytes run nowhere (T33, T35)", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#00ff00"/><script>alert(1)</script></svg>`;
  await server.request("POST", "/api/collections/albums", { body: { id: "svg" } });
  await upload(server, "albums/svg/image", { name: "d.svg", bytes: svg });
  const made = await get("albums/svg/image.png?w=20");
  assert.deepEqual(await sizeOf(made.bytes), { width: 20, height: 20, format: "png" });
  const { status, headers, bytes } = await get("albums/svg/image.svg");
  assert.equal(status, 200);
  assert.equal(headers["content-security-policy"], "sandbox; default-src 'none'");
  assert.match(headers["content-disposition"] ?? "", /^attachment;/);
  assert.ok(!bytes.toString().includes("<script"));
});

test("IW-21 a drawing in a gallery has an address of its own beside a picture of the same stem", async () => {
  await server.request("POST", "/api/collections/albums", { body: { id: "pair" } });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#0f0"/></svg>`;
  await upload(server, "albums/pair/gallery", {
    name: "x.png",
    bytes: await picture(9, 9, { format: "png", color: "#f00" }),
  });
  await upload(server, "albums/pair/gallery", { name: "x.svg", bytes: svg });
  const { body } = await server.request("GET", "/api/collections/albums/pair");
  const shown = body.data.gallery.map(({ url }: { url: string }) => url.replace("/imageworks/", ""));
  assert.deepEqual(await Promise.all(shown.map(async (url: string) => colourOf((await get(url)).bytes))), [
    "100",
    "010",
  ]);
  await server.request("DELETE", "/api/collections/albums/pair");
});

test("IW-22 IW-26 callers with the right clear caches of images, which are then made again", async () => {
  await get("albums/a/image.webp?w=61");
  const clear = (method: string, path: string, body?: object) =>
    server.request(method, `/api/cache${path}`, body ? { body } : {});
  const one = await clear("DELETE", "/collections/albums/images");
  assert.ok(one.body.deleted > 3);
  assert.deepEqual(one.body, { deleted: one.body.deleted, collection: "albums" });
  assert.equal((await clear("DELETE", "/collections/albums/images")).body.deleted, 0);
  await clear("DELETE", "");
  for (const [method, path, body] of [
    ["DELETE", "/images", { collection: "albums" }],
    ["DELETE", "/images/all", undefined],
    ["DELETE", "", undefined],
    ["POST", "/clear", undefined],
  ] as const) {
    assert.equal((await get("albums/a/image.webp?w=61")).status, 200);
    assert.equal((await clear(method, path, body)).body.deleted, 1, path);
  }
  assert.equal((await clear("DELETE", "/images", {})).status, 400);
  assert.equal((await clear("DELETE", "/collections/none/images")).status, 404);
  assert.equal((await server.request("DELETE", "/api/cache", { key: null })).status, 401);
});

test("IW-23 JOB-18 images:warm makes a preset of every image ahead of time", async () => {
  const { code, stdout } = await server.cli(["images:warm", "albums", "gallery", "tiny", "--json"]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), { images: 3, failed: [] });
  const folder = join(server.dataDir, "albums", "a", "gallery", ".cache", "two.png");
  assert.equal(readdirSync(folder).length, 1);
  assert.ok(statSync(join(folder, readdirSync(folder)[0] as string)).size > 0);
  await get("albums/a/gallery/two.png?p=tiny");
  assert.equal(readdirSync(folder).length, 1);
  assert.equal((await server.cli(["images:warm", "albums", "gallery", "none"])).code, 1);
  assert.equal((await server.cli(["images:warm", "albums", "text", "tiny"])).code, 1);
  const [job, ...others] = (await server.request("GET", "/api/jobs?kind=images.warm")).body.data;
  assert.deepEqual([job.subject, job.status, job.result], ["albums/gallery", "succeeded", { images: 3, failed: [] }]);
  assert.ok(job.progress.total > 0 && job.progress.done === job.progress.total);
  assert.deepEqual(others, []);
});

test("IW-24 when too many images wait, the next is 503 with a time to come back (T40)", async () => {
  await server.request("POST", "/api/collections/albums", { body: { id: "busy" } });
  await upload(server, "albums/busy/image", { name: "large.jpg", bytes: await picture(4_000, 3_000) });
  process.kill(server.pid, "SIGSTOP"); // So that it finds them all at once, however slowly they are sent.
  const asked = Array.from({ length: 100 }, (_, n) => get(`albums/busy/image.webp?w=${20 + n}&blur=5`));
  await new Promise((done) => setTimeout(done, 300));
  process.kill(server.pid, "SIGCONT");
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.length < 100, `${refused.length} refused`);
  for (const { status, headers } of refused) {
    assert.equal(status, 503);
    assert.ok(Number(headers["retry-after"]) > 0);
  }
  assert.equal((await get("albums/busy/image.webp?w=300")).status, 200);
});
