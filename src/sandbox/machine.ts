// One QuickJS machine in memory of its own, for one run: never reused, because a runtime that ran out of memory
// cannot even be disposed of. Lives in the sandbox's thread, and handles only texts.

import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { bootstrap, threwNull } from "./bootstrap.ts";
import { limits, type Modules, type SandboxReason, type ThreadData, type ToThread } from "./messages.ts";

const pageBytes = 65_536;
const initialPages = 256;
const fileName = "handler.js";

export interface Outside {
  call(id: number, name: string, args: string): void;
  log(level: string, line: string): void;
  end(outcome: { text: string } | { reason: SandboxReason; message: string }): void;
}

export interface Machine {
  /** The problem of the module's text; it is not run. */
  check(source: string): string | undefined;
  run(order: Omit<ToThread & { type: "run" }, "type">): void;
  /** The answer to a call of the run. */
  answer(call: number, text: string): void;
}

export async function createMachine({ wasm, maxPages }: ThreadData, outside: Outside): Promise<Machine> {
  const wasmMemory = new WebAssembly.Memory({ initial: Math.min(initialPages, maxPages), maximum: maxPages });
  // The package's types are those of its other module format.
  const base = variant as unknown as QuickJSSyncVariant;
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(base, { wasmModule: wasm, wasmMemory }));
  const vm = quickjs.newContext();
  vm.runtime.setMaxStackSize(limits.stack);
  const pending = new Map<number, { promise: QuickJSDeferredPromise; size: number }>();
  let pendingSize = 0;
  let calls = 0;
  let lines = 0;
  let isEnded = false;

  function end(outcome: Parameters<Outside["end"]>[0]): void {
    if (isEnded) return;
    isEnded = true;
    outside.end(outcome);
  }

  /** Running out of memory looks like any other exception, or like null: there was no memory left to create one. */
  function failure(reason: SandboxReason, message: string): { reason: SandboxReason; message: string } {
    const isFull = wasmMemory.buffer.byteLength > 0.9 * maxPages * pageBytes;
    const isMemory = message.startsWith("InternalError: out of memory") || (message === threwNull && isFull);
    if (reason !== "threw" || !isMemory) return { reason, message };
    return { reason: "memory", message: "The handler ran out of memory." };
  }

  const call = vm.newFunction("call", (name, args) => {
    if (pending.size >= limits.pendingCalls) throw refusal(`More than ${limits.pendingCalls} calls at a time.`);
    if (calls >= limits.calls) throw refusal(`More than ${limits.calls} calls in one run.`);
    const text = vm.getString(args);
    if (text.length + pendingSize > limits.text) throw refusal("The arguments are too large.");
    calls += 1;
    pendingSize += text.length;
    const promise = vm.newPromise();
    pending.set(calls, { promise, size: text.length });
    outside.call(calls, vm.getString(name), text);
    return promise.handle;
  });

  const log = vm.newFunction("log", (level, line) => {
    lines += 1;
    if (lines > limits.logLines) return;
    const text = lines === limits.logLines ? "(more lines are left out)" : vm.getString(line).slice(0, limits.logLine);
    outside.log(vm.getString(level), text);
  });

  const finish = vm.newFunction("finish", (reason, text) => {
    const word = vm.getString(reason);
    if (word === "") end({ text: vm.getString(text) });
    else end(failure(word as SandboxReason, vm.getString(text)));
  });

  const make = vm.unwrapResult(vm.evalCode(bootstrap, "bootstrap.js"));
  const start = vm.unwrapResult(vm.callFunction(make, vm.undefined, call, log, finish));

  /** Until nothing more can happen without an answer from outside. */
  function proceed(): void {
    const result = vm.runtime.executePendingJobs();
    if (result.error) end(failure("threw", errorText(vm, result.error)));
    if (isEnded || pending.size > 0) return;
    end({ reason: "timeout", message: "The handler waits for a promise that never settles." });
  }

  return {
    check(source) {
      const result = vm.evalCode(source, fileName, { type: "module", compileOnly: true });
      return result.error ? errorText(vm, result.error) : undefined;
    },
    run({ source, data, names, modules }) {
      if (Object.keys(modules).length > 0) vm.runtime.setModuleLoader((name) => loadFrom(modules, name), resolveIn);
      const module = vm.evalCode(source, fileName, { type: "module" });
      if (module.error) {
        const message = errorText(vm, module.error);
        end(failure(message.startsWith("SyntaxError") ? "syntax" : "threw", message));
        return;
      }
      const [dataText, nameText] = [vm.newString(data), vm.newString(JSON.stringify(names))];
      const started = vm.callFunction(start, vm.undefined, module.value, dataText, nameText);
      if (started.error) end(failure("threw", errorText(vm, started.error)));
      else proceed();
    },
    answer(id, text) {
      const call = pending.get(id);
      if (!call || isEnded) return;
      pending.delete(id);
      pendingSize -= call.size;
      // Handles that are not freed would stay in the machine's memory for the whole run.
      vm.newString(text).consume((answer) => call.promise.resolve(answer));
      proceed();
    },
  };
}

function loadFrom(modules: Modules, name: string): string | { error: Error } {
  const text = Object.hasOwn(modules, name) ? modules[name] : undefined;
  return text ?? { error: new Error(`There is no module "${name}".`) };
}

/** Relative to the module that imports it; other names are as they are. */
function resolveIn(from: string, name: string): string {
  if (!name.startsWith(".")) return name;
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function refusal(message: string): Error {
  return new Error(message);
}

function errorText(vm: QuickJSContext, error: QuickJSHandle): string {
  const shown: unknown = vm.dump(error);
  if (shown === null) return threwNull;
  if (typeof shown !== "object") return String(shown);
  const { name, message, stack, lineNumber } = shown as Record<string, unknown>;
  const place = lineNumber ?? /handler\.js:(\d+)/.exec(String(stack ?? ""))?.[1];
  const where = place === undefined ? "" : ` (line ${place})`;
  return typeof message === "string" ? `${name}: ${message}${where}` : JSON.stringify(shown);
}
