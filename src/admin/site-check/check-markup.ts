// Markup in templates that the content policy of pages stops, or that some visitors cannot use. Pure.

import type { SiteFinding } from "#contract/site.ts";

interface Habit {
  pattern: RegExp;
  message: string;
  cure: string;
}

const habits: readonly Habit[] = [
  {
    pattern: /<img\b(?![^>]*\salt\s*=)[^>]*>/gi,
    message: "An image has no alternative text.",
    cure: 'Add alt="…", or alt="" to an image that only decorates; image_tag does it by itself.',
  },
  {
    pattern: /<[a-z][^<>]*\son[a-z]+\s*=\s*["']/gi,
    message: "The content policy stops handlers in attributes.",
    cure: "Add the handler in a script: {% script %} or a file of public/.",
  },
  {
    pattern: /<script\b(?![^>]*\ssrc\s*=)(?![^>]*type\s*=\s*["'](?:application\/(?:ld\+)?json|importmap))[^>]*>/gi,
    message: "The content policy stops inline scripts.",
    cure: "Write {% script %} … {% endscript %}, which counts the script in the policy.",
  },
  {
    pattern: /<style\b[^>]*>/gi,
    message: "The content policy stops inline style sheets.",
    cure: "Write {% style %} … {% endstyle %}, which counts the style sheet in the policy.",
  },
];

export function checkMarkup(template: string, text: string): SiteFinding[] {
  const findings: SiteFinding[] = [];
  for (const { pattern, message, cure } of habits)
    for (const match of text.matchAll(pattern))
      findings.push({ level: "warning", message, cure, template, page: "", line: lineAt(text, match.index) });
  return findings;
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
