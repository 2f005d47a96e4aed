import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { clean, createOutput, escapeControls, JsonText, OutputClosed } from "./output.ts";
import { progressLine } from "./progress.ts";

function capture() {
  const stream = new PassThrough();
  const out = createOutput(stream);
  return { out, text: () => String(stream.read() ?? "") };
}

test("CLI-7 control characters and direction marks become visible escapes (T116)", () => {
  assert.equal(clean("a\u001b[31mb\u0007\nc\td\u009b\u202e"), "a\\u001b[31mb\\u0007\\nc\\td\\u009b\\u202e");
  assert.equal(clean("Žluťoučký 中文 🙂"), "Žluťoučký 中文 🙂");
});

test("CLI-7 JSON output escapes terminal controls, and stays the same document (T116)", async () => {
  const value = { text: "x\u001b\u007f\u009b\u202ey" };
  const { out, text } = capture();
  await out.json(new JsonText(JSON.stringify(value)));
  const printed = text();
  assert.deepEqual(JSON.parse(printed), value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be printed
  assert.doesNotMatch(printed, /[\u001b\u007f-\u009f\u202e]/);
  assert.equal(escapeControls('"\u0085"'), '"\\u0085"');
});

test("CLI-6 tables are aligned, also with wide characters", async () => {
  const { out, text } = capture();
  await out.table(
    ["ID", "NAME"],
    [
      ["a", "x"],
      ["中文", "y"],
      ["long-id", "z\u001b"],
    ],
  );
  assert.equal(text(), "ID       NAME\na        x\n中文     y\nlong-id  z\\u001b\n");
});

test("CLI-8 a reader that goes away is not a failure", async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    },
  });
  const out = createOutput(stream);
  await out.line("first").catch(() => {});
  await new Promise(setImmediate);
  await assert.rejects(out.line("second"), OutputClosed);
});

test("CLI-9 progress shows count, rate, and percent when the size is known", () => {
  const state = { what: "Importing", count: 12_345, seconds: 2, part: undefined, whole: undefined };
  assert.equal(progressLine(state), "Importing: 12,345 (6,173 a second)");
  assert.equal(progressLine({ ...state, part: 50, whole: 200 }), "Importing: 12,345 (6,173 a second, 25 %)");
});
