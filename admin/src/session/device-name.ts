// Which browser on which system, from what the browser says of itself. A guess for people; nothing depends on it. Pure.

const browsers: [pattern: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

export interface DeviceName {
  /** Empty where it is not known. */
  browser: string;
  system: string;
}

export function readDevice(agent: string): DeviceName {
  const find = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(agent))?.[1] ?? "";
  return { browser: find(browsers) || (agent.split(/[/\s]/, 1)[0] ?? ""), system: find(systems) };
}
