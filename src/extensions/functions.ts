// The functions of the service that an extension can call, as its caller or as itself. Those of automations do the work;
// this file adds what extensions may never reach, and what an operator approved.

import { automationHost, type HostFunctions } from "#automations/host.ts";
import { fetchForHandler } from "#automations/host-fetch.ts";
import { fail } from "#base/errors.ts";
import { causeOfExtension } from "#content/extension-port.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { getViewData } from "#data-views/views.ts";
import { addJob } from "./add-job.ts";
import type { LiveExtension } from "./load-extensions.ts";
import { renderFor } from "./render.ts";
import { storeFunctions } from "./store.ts";

/** In no answer to an extension, whatever the rights of its caller are. */
const closed = new Set(["auth", "automations"]);
/** Longest chain of automations and extensions that cause each other. */
export const maxDepth = 5;

/** `ctx`: of the caller, or of the extension itself. `isOwn`: the latter, which has permissions instead of rights. */
export function functionsFor(ctx: Context, extension: LiveExtension, isOwn: boolean): HostFunctions {
  const { permissions } = extension.manifest;
  const acting: Context = {
    ...ctx,
    closed: new Set([...(ctx.closed ?? []), ...closed]),
    cause: causeOf(ctx, extension),
  };
  const host = automationHost(acting);
  /** `always`: also where it acts as its caller. */
  const need = (permission: "files" | "mail" | "jobs", always = isOwn) => {
    const isGranted = permissions[permission] && !extension.switchedOff.has(permission);
    if (always && !isGranted) fail("forbidden", `The extension ${extension.id} has no permission "${permission}".`);
  };
  const guarded: HostFunctions = {};
  for (const [name, run] of Object.entries(host)) {
    if (/^(objects|deck|files)\./.test(name))
      guarded[name] = async (...args) => {
        if (name.startsWith("files.")) need("files");
        if (name === "files.save") requireHost(extension, text(args[3]));
        refuseClosed(args[0], name === "objects.clone" ? args[2] : undefined);
        return run(...args);
      };
  }
  return {
    ...guarded,
    "mail.send": async (...args) => {
      need("mail");
      return host["mail.send"]?.(...args) ?? null;
    },
    "jobs.add": async (...args) => {
      need("jobs", true);
      return addJob(acting, extension, args);
    },
    "views.get": async (id) => JSON.parse((await getViewData(acting, text(id))).text) as Json,
    fetch: async (url, options) => {
      requireHost(extension, text(url));
      // An address that it is sent on to must be named as well: the code asks again.
      return fetchForHandler(acting, text(url), isJsonObject(options) ? options : {}, 0);
    },
    render: async (template, data) =>
      renderFor(acting, extension, { template: text(template), data: isJsonObject(data) ? data : {} }),
    ...(isOwn && storeFunctions(acting, extension.id)),
  };
}

function causeOf(ctx: Context, extension: LiveExtension): NonNullable<Context["cause"]> {
  const depth = (ctx.cause?.depth ?? -1) + 1;
  if (depth >= maxDepth) fail("conflict", "A chain of automations and extensions reached its limit.");
  return { automation: causeOfExtension(extension.id), depth };
}

function refuseClosed(...named: (Json | undefined)[]): void {
  for (const name of named) {
    const collection = typeof name === "object" && name !== null && "collection" in name ? name.collection : name;
    if (typeof collection === "string" && closed.has(collection)) fail("forbidden");
  }
}

function isGrantedHost({ manifest, switchedOff }: LiveExtension, url: string): boolean {
  const host = hostOf(url);
  return manifest.permissions.hosts.some((granted) => {
    if (switchedOff.has(`hosts:${granted}`)) return false;
    if (!granted.startsWith("*.")) return host === granted || host.replace(/:\d+$/, "") === granted;
    return host.replace(/:\d+$/, "").endsWith(granted.slice(1));
  });
}

function requireHost(extension: LiveExtension, url: string): void {
  if (isGrantedHost(extension, url)) return;
  const { id } = extension;
  fail("forbidden", `The extension ${id} may not call ${hostOf(url)}: its manifest must name the host.`);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : fail("invalid", "The address is not valid.");
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : fail("invalid", "An argument must be text.");
}
