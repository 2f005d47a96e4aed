import { equal } from "node:assert/strict";
import { test } from "node:test";
import { errorsCsv } from "./errors-csv.ts";

test("ADM-493 the refused rows are a CSV with a line for each problem, and no formula", () => {
  const text = errorsCsv(
    ["Row", "Id"],
    [
      { row: 2, id: "a", message: "Not valid.", details: { title: ["is required"], price: ['must be "a number"'] } },
      { row: 7, message: "=cmd()" },
    ],
  );
  equal(text, 'Row,Id\r\n2,a,title,is required\r\n2,a,price,"must be ""a number"""\r\n7,,,\'=cmd()\r\n');
});
