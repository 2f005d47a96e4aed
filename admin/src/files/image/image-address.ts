// Addresses that ask for a picture in another size, shape and format, for pages and for templates. Pure.

import { imageUrl } from "./image-url.ts";

export const fits = ["inside", "crop", "cover", "contain", "fill"] as const;
export const formats = ["webp", "avif", "jpg", "png", "gif"] as const;

/** As typed; empty where it is left out. */
export interface AddressChoice {
  width: string;
  height: string;
  fit: string;
  format: string;
  quality: string;
}

export const mostSide = 8_000;
export const mostQuality = 100;

export function isCount(text: string, most: number): boolean {
  return text === "" || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= most);
}

export function parametersOf({ width, height, fit, format, quality }: AddressChoice): Record<string, string> {
  // Without both sides every fit is the same.
  const chosen = {
    w: width,
    h: height,
    fit: width !== "" && height !== "" && fit !== "inside" ? fit : "",
    format,
    quality,
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ""));
}

/** `focus` where the one in the form is not stored yet. */
export function previewUrl(url: string, choice: AddressChoice, focus?: { x: number; y: number }): string {
  const parameters = parametersOf(choice);
  if (focus && parameters.fit === "crop") parameters.fit = `crop-${Math.round(focus.x)}-${Math.round(focus.y)}`;
  return imageUrl(url, parameters);
}

/** The address in a template carries the version of the file; parameters follow it. */
export function liquidOf(path: string, choice: AddressChoice): string {
  const query = new URLSearchParams(parametersOf(choice)).toString();
  return `{{ object.${path}.url }}${query === "" ? "" : `&${query}`}`;
}
