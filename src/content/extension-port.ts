// The port to extensions. Features ask it what extensions add, and call their functions; none of them knows where the code
// runs. The room extensions/ stands behind it, and app.ts joins them. Types only.

import type { ExtensionActor } from "#access/actor.ts";
import type { Context } from "#context.ts";
import type { Contributions, ExtensionSource, ListedKind, Runtime } from "#contract/extensions.ts";
import type { Json } from "#contract/json.ts";

/** A contribution of an enabled extension that no switch has taken away. */
export interface Offered<K extends ListedKind> {
  /** `{vendor}/{name}` */
  extension: string;
  title: string;
  source: ExtensionSource;
  runtime: Runtime;
  /** Moves with the code of the extension: part of the key of whatever is kept of its answers. */
  mark: string;
  /** Its setting `allPages` is on: page steps run before every page. */
  isEverywhere: boolean;
  /** Its HTML is printed as it is. */
  mayPrint: boolean;
  entry: Contributions[K][number];
}

export interface ExtensionCall {
  extension: string;
  kind: ListedKind;
  name: string;
  /** JSON, bytes and streams; nothing else crosses. */
  args: readonly unknown[];
  /** The caller that `call.as` acts as; left out: nobody. */
  ctx?: Context | undefined;
  timeoutMs: number;
  /** Functions that only this call has, such as `print` of a command. */
  extra?: Record<string, (...args: Json[]) => Promise<Json>> | undefined;
  signal?: AbortSignal | undefined;
}

/** As the cause of what an extension writes, by itself or for its caller. */
export function causeOfExtension(id: string): string {
  return `extension:${id}`;
}

export interface ExtensionPort {
  /**
   * At once when nothing has changed. What must stay closed when its extension is down (`onFailure: "closed"`, `protects`)
   * is listed also then, and calling it fails.
   */
  of<K extends ListedKind>(kind: K): readonly Offered<K>[] | Promise<readonly Offered<K>[]>;
  /**
   * Throws what the extension refuses (`cairn.fail`) as an error with its status, and `extension-failed` for everything
   * else: the message names the extension, and never repeats what it threw.
   */
  call(order: ExtensionCall): Promise<unknown>;
  /** Folders of templates, which pages name `ext/{vendor}/{name}/...`. At once when nothing has changed. */
  templates(): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  /** Into the log of the extension, for its operator: what is wrong with what it answered. */
  report(extension: string, text: string): void;
  /** With its approved permissions; undefined: it is not enabled. */
  findActor(id: string): Promise<ExtensionActor | undefined>;
}
