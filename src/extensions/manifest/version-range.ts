// Ranges of versions as manifests write them: `>=1.2 <2`, `^2`, `~1.4`, `1.x`, alternatives with `||`. Pure.

type Parts = [major: number, minor: number, patch: number];

export function fitsRange(version: string, range: string): boolean {
  const parts = partsOf(version);
  return (
    parts !== undefined &&
    range.split("||").some((all) =>
      all
        .trim()
        .split(/\s+/)
        .every((one) => fitsOne(parts, one)),
    )
  );
}

/** Whether it can be read at all. */
export function isRange(range: string): boolean {
  return range.split("||").every((all) =>
    all
      .trim()
      .split(/\s+/)
      .every((one) => condition.test(one)),
  );
}

const condition = /^(\*|(>=|<=|>|<|=|\^|~)?v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?(?:[-+][0-9A-Za-z.+-]+)?)$/;

function fitsOne(version: Parts, text: string): boolean {
  const [, all, sign = "", ...named] = condition.exec(text) ?? [];
  if (all === undefined) return false;
  if (all === "*") return true;
  const given = named.filter((part) => part !== undefined && /^\d+$/.test(part)).map(Number);
  const low: Parts = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0];
  const order = compare(version, low);
  switch (sign) {
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case ">":
      return given.length === 3 ? order > 0 : compare(version, next(low, given.length)) >= 0;
    case "<=":
      return given.length === 3 ? order <= 0 : compare(version, next(low, given.length)) < 0;
    case "^": {
      const first = low.findIndex((part) => part > 0);
      return order >= 0 && compare(version, next(low, first < 0 ? given.length : first + 1)) < 0;
    }
    case "~":
      return order >= 0 && compare(version, next(low, Math.min(given.length, 2))) < 0;
    default:
      return order >= 0 && compare(version, next(low, given.length)) < 0;
  }
}

/** The lowest version above all that share so many first parts. */
function next(parts: Parts, kept: number): Parts {
  const [major, minor, patch] = parts;
  if (kept <= 1) return [major + 1, 0, 0];
  return kept === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compare(a: Parts, b: Parts): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function partsOf(version: string): Parts | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}
