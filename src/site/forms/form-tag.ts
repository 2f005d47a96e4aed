// `{% form "orders/contact" %}` and the filters `field` and `fields`. The form of a page that can be kept holds nothing of one
// visitor; a form for users makes the page private.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { inTurns } from "#site/liquid.ts";
import { type Arguments, CountingEmitter, registerFilter, registerTag, type SiteTag } from "#site/template/define.ts";
import { engineFor, limiterOf } from "#site/template/engine.ts";
import { makeGlobals } from "#site/template/globals.ts";
import { markup, textOf } from "#site/template/html-value.ts";
import { type Rendering, warn } from "#site/template/rendering.ts";
import { errorSummary, fieldMarkup, formStart, sentMessage } from "./form-markup.ts";
import { type ShownField, type ShownForm, shownFields } from "./shown-form.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");
const sentText = "Thank you. The form was sent.";
/** Fields of the form that is being printed, by what templates hold of them. */
const fieldsOf = new WeakMap<object, ShownField>();
const formsOf = new WeakMap<object, ShownField[]>();

interface FormState {
  args: Arguments;
  body: LiquidJs.Template[];
}

const formTag: SiteTag<FormState> = {
  parse: (source) => ({ args: source.readArguments(["id", "class"]), body: source.readBody("endform") }),
  *render({ args, body }, run) {
    const { rendering } = run;
    const { values, named } = yield* run.arguments(args);
    const wanted = textOf(values[0]);
    const form = (yield rendering.reader.form(wanted)) as ShownForm | undefined;
    for (const scope of ["collections", "schemas", "settings"] as const) rendering.recorder.scope(scope);
    if (!form) {
      if (rendering.isDevelopment) throw new Error(`There is no form "${wanted}". Name it as collection/name.`);
      warn(rendering, `There is no form "${wanted}".`);
      return;
    }
    rendering.recorder.expires(form.trapExpires);
    const token = (yield tokenOf(rendering, form)) as string | undefined;
    const id = textOf(named.id) || `form-${form.id.replace("/", "-")}`;
    const state = stateOf(rendering, form, id);
    run.print(formStart(form, { id, className: textOf(named.class), path: rendering.request.path, token }));
    if (state.isSent) run.print(sentMessage(form.definition.message || sentText));
    run.print(errorSummary(state.fields.values(), state.other));
    yield* run.withNames({ form: state.value }, run.body(body));
    run.print("</form>");
  },
};

async function tokenOf({ recorder, request }: Rendering, { definition }: ShownForm): Promise<string | undefined> {
  if (definition.access !== "user") return undefined;
  recorder.visitor();
  return (await request.formToken?.()) ?? "";
}

function stateOf(rendering: Rendering, form: ShownForm, id: string) {
  const { request, recorder } = rendering;
  const sent = request.sentForm?.form === form.id ? request.sentForm : undefined;
  if (sent) recorder.never("A form was sent.");
  const shown = request.query.get("_sent");
  recorder.parameter("_sent", shown);
  const isSent = shown === form.name && !sent;
  const fields = shownFields(form, sent, id);
  const other = Object.entries(sent?.errors ?? {}).flatMap(([name, texts]) =>
    fields.has(name) ? [] : name === "" ? [...texts] : [`${name}: ${texts.join(", ")}`],
  );
  const plain = (entries: [string, unknown][]) => Object.assign(Object.create(null), Object.fromEntries(entries));
  const drops = [...fields].map(([name, field]): [string, object] => {
    const drop = plain(Object.entries(field));
    fieldsOf.set(drop, field);
    return [name, drop];
  });
  const value = plain([
    ["id", id],
    ["name", form.name],
    ["fields", plain(drops)],
    ["values", plain(Object.entries(sent?.values ?? {}))],
    ["errors", plain(Object.entries(sent?.errors ?? {}))],
    ["sent", isSent],
    ["message", form.definition.message],
  ]);
  formsOf.set(value, [...fields.values()]);
  return { value, fields, other, isSent };
}

async function printField(rendering: Rendering, field: ShownField): Promise<string> {
  const partial = await rendering.templates.load(`forms/${field.kind}`);
  if (!partial) return fieldMarkup(field);
  const engine = engineFor(rendering.isMarkup);
  const emitter = new CountingEmitter(rendering);
  const scope = Object.assign(Object.create(null), { field: Object.assign(Object.create(null), field) });
  const context = new (liquidjs().Context)(
    scope,
    engine.options,
    { globals: makeGlobals(rendering), ownPropertyOnly: true },
    { memoryLimit: limiterOf(rendering) as never, liquid: engine },
  );
  await inTurns(engine.renderer.renderTemplates(partial.templates, context, emitter) as Iterator<unknown>);
  return fieldMarkup(field, emitter.buffer);
}

registerTag("form", formTag);

registerFilter("field", async (value, _args, { rendering }) => {
  const field = typeof value === "object" && value !== null ? fieldsOf.get(value) : undefined;
  if (!field) throw new Error("field takes a field of a form: {{ form.fields.email | field }}");
  return markup(await printField(rendering, field));
});

registerFilter("fields", async (value, _args, { rendering }) => {
  const fields = typeof value === "object" && value !== null ? formsOf.get(value) : undefined;
  if (!fields) throw new Error("fields takes a form: {{ form | fields }}");
  const printed: string[] = [];
  for (const field of fields) printed.push(await printField(rendering, field));
  return markup(printed.join(""));
});
