// Addresses of images in other sizes and formats. Pure: the server makes each when it is first asked for.

export interface ImageParameters {
  w?: number;
  h?: number;
  dpr?: number;
  fit?: string;
  format?: "jpg" | "png" | "webp" | "avif" | "gif" | "auto";
  quality?: number;
  /** A preset of the settings. */
  p?: string;
  [more: string]: string | number | boolean | undefined;
}

/** The value of an image property, or its `url`. */
export type ImageSource = string | { url: string };

export function imageUrl(site: string, image: ImageSource, parameters: ImageParameters = {}): string {
  const address = new URL(typeof image === "string" ? image : image.url, `${site}/`);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  return address.href;
}

export type SrcsetOptions = Pick<ImageParameters, "dpr" | "fit" | "format" | "quality" | "p"> & {
  widths: readonly number[];
  /** Height over width: each height follows its width. */
  ratio?: number;
};

/** For the attribute `srcset`. */
export function imageSrcset(site: string, image: ImageSource, { widths, ratio, ...rest }: SrcsetOptions): string {
  return widths
    .map((w) => {
      const height = ratio === undefined ? {} : { h: Math.round(w * ratio) };
      return `${imageUrl(site, image, { ...rest, w, ...height })} ${w}w`;
    })
    .join(", ");
}
