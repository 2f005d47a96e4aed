// What the code of extensions asks of the service: a bounded number at a time for each extension. The others wait in the thread, in
// order, and what is too much is refused there.

import type { Json } from "#contract/json.ts";
import { ExtensionRefusal } from "./facade.ts";
import { hostLimits, type Refusal } from "./messages.ts";

export interface Questions {
  /** `send` is called when its turn has come. */
  ask(number: number, args: readonly Json[], send: (id: number, args: string) => void): Promise<Json>;
  answer(id: number, reply: { value?: Json; refusal?: Refusal }): void;
}

/** `entered`: the code of this extension goes on. */
export function createQuestions(entered: (number: number) => void): Questions {
  const asked = new Map<number, { number: number; resolve(value: Json): void; reject(error: Error): void }>();
  const lines = new Map<number, { running: number; waiting: (() => void)[] }>();
  let ids = 0;

  return {
    ask(number, args, send) {
      const line = lines.get(number) ?? { running: 0, waiting: [] };
      lines.set(number, line);
      if (line.waiting.length >= hostLimits.waitingAsks)
        return refuse(429, `More than ${hostLimits.waitingAsks} calls of the service wait: await some of them first.`);
      const text = jsonOf(args);
      if (text === undefined) return refuse(400, "The arguments must be JSON.");
      if (text.length > hostLimits.text)
        return refuse(413, `The arguments have more than ${hostLimits.text} characters.`);
      return new Promise((resolve, reject) => {
        const begin = () => {
          line.running += 1;
          ids += 1;
          asked.set(ids, { number, resolve, reject });
          send(ids, text);
        };
        if (line.running < hostLimits.asks) begin();
        else line.waiting.push(begin);
      });
    },
    answer(id, { value, refusal }) {
      const found = asked.get(id);
      asked.delete(id);
      if (!found) return;
      const line = lines.get(found.number);
      if (line) {
        line.running -= 1;
        line.waiting.shift()?.();
      }
      entered(found.number);
      if (refusal) found.reject(new ExtensionRefusal(refusal));
      else found.resolve(value ?? null);
    },
  };
}

function refuse(status: number, message: string): Promise<never> {
  return Promise.reject(new ExtensionRefusal({ status, message }));
}

function jsonOf(args: readonly Json[]): string | undefined {
  try {
    return JSON.stringify(args);
  } catch {
    return undefined;
  }
}
