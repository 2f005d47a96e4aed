// Steps that run at the end of a transaction: for rows that many transactions want at the same moment. A transaction that
// waits for one then holds no lock that the owner still needs, and the order of names prevents deadlocks.

export type CommitStep = () => Promise<unknown>;

export interface CommitSteps {
  /** Of several with one name only the first runs. */
  add(name: string, step: CommitStep): void;
  /** Undefined: there are none. */
  run(): Promise<void> | undefined;
}

export function createCommitSteps(): CommitSteps {
  let steps: Map<string, CommitStep> | undefined;

  async function runAll(all: Map<string, CommitStep>): Promise<void> {
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
