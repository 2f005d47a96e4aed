// What a transaction does when all else of it is done: rows that many transactions want at the same moment. Who waits for
// one of these then holds nothing that its owner still wants, and in the order of their names no two wait for each other.

export type LastStep = () => Promise<unknown>;

export interface LastSteps {
  /** The first of a name stands for all. */
  add(name: string, step: LastStep): void;
  /** Undefined: there are none. */
  run(): Promise<void> | undefined;
}

export function createLastSteps(): LastSteps {
  let steps: Map<string, LastStep> | undefined;

  async function runAll(all: Map<string, LastStep>): Promise<void> {
    for (const [, step] of [...all].sort(([a], [b]) => (a < b ? -1 : 1))) await step();
  }

  return {
    add(name, step) {
      steps ??= new Map();
      if (!steps.has(name)) steps.set(name, step);
    },
    run: () => steps && runAll(steps),
  };
}
