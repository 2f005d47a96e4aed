// The closing table.

export interface Row {
  workload: string;
  cairn: string;
  floor: string;
  ratio: string;
  bar: string;
  /** What this machine cannot show is neither. */
  isMet: boolean | "not shown";
}

export function verdict(isMet: Row["isMet"]): string {
  return isMet === "not shown" ? isMet : isMet ? "met" : "MISSED";
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function printTable(title: string, rows: readonly Row[]): void {
  const lines = [
    ["workload", "Cairn", "floor", "ratio", "bar", "verdict"],
    ...rows.map(({ workload, cairn, floor, ratio, bar, isMet }) => [
      workload,
      cairn,
      floor,
      ratio,
      bar,
      verdict(isMet),
    ]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length))) ?? [];
  const show = (line: string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] as number)).join(" | ")} |`;
  console.log(`\n${title}\n`);
  const [head, ...body] = lines as [string[], ...string[][]];
  console.log(
    [show(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...body.map(show)].join("\n"),
  );
}
