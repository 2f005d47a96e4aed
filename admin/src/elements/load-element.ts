// Loads the module of an element and defines it under a name of its own.

import { type ElementPart, tagOf } from "./part.ts";

/** A module that takes longer has failed. */
export const loadLimitMs = 8_000;

const loading = new Map<string, Promise<string>>();

/** Resolves to the name of the element. What has failed is tried again the next time. */
export function loadElement(part: ElementPart): Promise<string> {
  const tag = tagOf(part);
  if (customElements.get(tag)) return Promise.resolve(tag);
  const known = loading.get(tag);
  if (known !== undefined) return known;
  const started = define(part, tag).finally(() => loading.delete(tag));
  loading.set(tag, started);
  return started;
}

let tries = 0;

async function define({ address }: ElementPart, tag: string): Promise<string> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("The module did not load in 8 seconds.")), loadLimitMs);
  try {
    // A browser keeps the failure of an address: another try needs another one.
    const url = tries === 0 ? address : `${address}?try=${tries}`;
    const { default: Base } = (await Promise.race([import(/* @vite-ignore */ url), late.promise])) as {
      default: unknown;
    };
    if (typeof Base !== "function" || !(Base.prototype instanceof HTMLElement))
      throw new Error("The module exports no class that extends HTMLElement.");
    if (!customElements.get(tag)) customElements.define(tag, withFocus(Base as CustomElementConstructor));
    return tag;
  } catch (error) {
    tries += 1;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Focus goes to the first control inside. A class of its own, so that two parts may share one module. */
function withFocus(Base: CustomElementConstructor): CustomElementConstructor {
  return class extends Base {
    override attachShadow(init: ShadowRootInit): ShadowRoot {
      return super.attachShadow({ ...init, delegatesFocus: true });
    }
  };
}
