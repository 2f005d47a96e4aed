import assert from "node:assert/strict";
import { test } from "node:test";
import { csvTable, htmlChoices, htmlTable } from "./tables.ts";

test("QRY-9 a CSV table has its header also when it has no rows", () => {
  assert.equal(csvTable(["id", "title"], []), "id,title\r\n");
  assert.equal(csvTable(["id", "title"], [{ id: "a", extra: 1 }]), "id,title\r\na,\r\n");
});

test("QRY-13 everything in an HTML table is escaped (T21)", () => {
  const html = htmlTable("<c>", ["id", "<b>"], [{ id: "<img src=x onerror=alert(1)>", "<b>": { "</td>": '"' } }]);
  assert.match(html, /<title>&lt;c&gt;<\/title>/);
  assert.match(html, /<td>&lt;img src=x onerror=alert\(1\)&gt;<\/td><td>{&quot;&lt;\/td&gt;&quot;/);
  assert.doesNotMatch(html, /<img|<b>|<script|<style/);
});

test("REP-2 field choices are escaped checkboxes (T21)", () => {
  const html = htmlChoices("Report", [{ name: 'a"b', label: "<i>" }]);
  assert.match(html, /<input type="checkbox" name="fields\[\]" value="a&quot;b"> &lt;i&gt;/);
});
