// Walks through the main part of a page of the admin by the Tab key, from its skip link on, and says what is wrong: a control
// that is not reached, a focus that is not seen or is covered, a control that keeps it. Judges nothing but the keyboard.

import type { Locator, Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";

/** In the page: notes where the focus is, and tells what the walk did not reach. */
const walker = `
  globalThis.walk = { seen: new Set(), unseen: [] };
  const composites = "[role=grid], [role=treegrid], [role=tree], [role=toolbar], [role=tablist], [role=radiogroup], [role=listbox], table[role]";
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0 && !element.closest("[inert]");
  const named = (element) => element.localName + (element.getAttribute("role") ? "[" + element.getAttribute("role") + "]" : "") + " " +
    JSON.stringify((element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "").trim().slice(0, 40));
  const hasRing = (element) => {
    for (let one = element, at = 0; one && at < 5; one = one.parentElement, at += 1)
      for (const each of [one, ...(at === 0 && one.nextElementSibling ? [one.nextElementSibling] : [])]) {
        const style = getComputedStyle(each);
        if ((style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || (each !== one && style.boxShadow !== "none")) return true;
      }
    return false;
  };
  const isCovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    const places = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.8]];
    return places.every(([x, y]) => {
      const found = document.elementFromPoint(left + width * x, top + height * y);
      return !found || !(element.contains(found) || found.contains(element) || found.closest("label")?.contains(element));
    });
  };
  globalThis.note = () => {
    const now = document.activeElement;
    if (!now || now === document.body) return "out";
    const isIn = document.querySelector("main").contains(now);
    if (!isIn) return "out";
    const isNew = !walk.seen.has(now);
    walk.seen.add(now);
    if (isNew && now.localName !== "main" && !/^h1$/.test(now.localName)) {
      // What is in a frame has a ring of its own; the page around it is not told of the focus.
      if (!hasRing(now) && now.localName !== "iframe") walk.unseen.push("no ring: " + named(now));
      if (isCovered(now)) walk.unseen.push("covered: " + named(now));
    }
    return isNew ? (now.closest(".cm-content") ? "code" : "new") : "again";
  };
  globalThis.missed = () => {
    const wanted = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role=textbox], [role=spinbutton]";
    const reached = [...walk.seen];
    const all = [...document.querySelector("main").querySelectorAll(wanted)].filter((one) => shown(one) && !one.disabled && one.getAttribute("aria-hidden") !== "true" && !one.closest("[aria-hidden=true]"));
    return all.filter((one) => {
      if (walk.seen.has(one)) return false;
      if (one.type === "radio" && reached.some((other) => other.type === "radio" && other.name === one.name)) return false;
      const group = one.closest(composites);
      if (group && reached.some((other) => group.contains(other))) return false;
      // The arrow of a combobox, the steps of a number, entries of a list of chosen values: their keys are those of the field.
      if (one.tabIndex < 0 && one.parentElement?.closest("[data-rac], ul, td, div")?.querySelector("input, [role=textbox], [tabindex='0']")) return false;
      return !reached.some((other) => other.contains(one));
    }).map(named);
  };
`;

/** More than any page has. */
const mostStops = 250;

/** As after a page was loaded: the next Tab key goes to what comes first. */
const toTheStart = `{
  document.body.tabIndex = -1;
  document.body.focus({ preventScroll: true });
  document.body.removeAttribute("tabindex");
}`;

/** One line for each finding. */
export async function walkByKeyboard(page: Page): Promise<string[]> {
  await page.evaluate(toTheStart);
  await page.keyboard.press("Tab");
  const first = await page.evaluate<string>("document.activeElement.getAttribute('href') ?? ''");
  if (first !== "#main") return [`the first stop is ${first || "no skip link"}`];
  await page.keyboard.press("Enter");
  await becomes(() => page.evaluate<string>("document.activeElement.id"), "main");
  return walk(page);
}

async function walk(page: Page): Promise<string[]> {
  await page.evaluate(walker);
  const found: string[] = [];
  let where = "";
  for (let at = 0; at < mostStops; at += 1) {
    // An editor of code takes the Tab key; Esc gives it back, as its hint says.
    if (where === "code") await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    where = await page.evaluate<string>("note()");
    if (where === "out") break;
    if (where === "again" || at === mostStops - 1) {
      found.push(
        `the Tab key does not leave ${await page.evaluate<string>("document.activeElement.outerHTML.slice(0, 120)")}`,
      );
      break;
    }
  }
  found.push(...(await page.evaluate<string[]>("[...walk.unseen, ...missed().map((one) => 'not reached: ' + one)]")));
  return found;
}

/** Opens a dialog by its button and closes it again: it keeps the focus meanwhile, and gives it back. */
export async function tryDialog(page: Page, opener: Locator): Promise<string[]> {
  await opener.focus();
  await page.keyboard.press("Enter");
  const layer = page.getByRole("dialog").or(page.getByRole("alertdialog"));
  await layer.first().waitFor();
  const isInside = "!!document.activeElement.closest('[role=dialog], [role=alertdialog]')";
  await becomes(() => page.evaluate<boolean>(isInside), true);
  const found: string[] = [];
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press("Tab");
    // Between two rounds the browser's own frame has the focus.
    if (await page.evaluate<boolean>(`${isInside} || document.activeElement === document.body`)) continue;
    found.push(`Tab leaves it for ${await page.evaluate<string>("document.activeElement.outerHTML.slice(0, 120)")}`);
    break;
  }
  await page.keyboard.press("Escape");
  await layer.first().waitFor({ state: "detached" });
  await becomes(() => opener.evaluate((element) => element.matches(":focus")), true).catch(() =>
    found.push("the focus did not come back"),
  );
  return found;
}
