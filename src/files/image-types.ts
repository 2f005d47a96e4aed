// Requests to the image maker. Values are validated and complete before they come here.

export const imageFormats = ["jpg", "png", "webp", "avif", "gif"] as const;
export type ImageFormat = (typeof imageFormats)[number];

export type Fit = "crop" | "contain" | "cover" | "fill" | "inside" | "outside";

/** One derived image. Absent: as in the source. Two equal recipes (after normalising) are one variant. */
export interface ImageRecipe {
  format: ImageFormat;
  w?: number;
  h?: number;
  fit?: Fit;
  /** Percent, for crop. */
  focalpoint?: { x: number; y: number };
  crop?: { w: number; h: number; x: number; y: number };
  quality?: number;
  blur?: number;
  brightness?: number;
  contrast?: number;
  gamma?: number;
  sharpen?: number;
  grayscale?: boolean;
  sepia?: boolean;
  pixelate?: number;
  flip?: "h" | "v" | "both";
  rotate?: 0 | 90 | 180 | 270;
  background?: string;
  border?: { size: number; color: string; method: "overlay" | "shrink" | "expand" };
  watermarks?: Watermark[];
}

export interface Watermark {
  /** A path on this machine for an image, or text. */
  image?: string;
  /** Identifies the image or the font in cache keys; moves when it changes. */
  tag?: string;
  text?: {
    value: string;
    size: number;
    color: string;
    background?: string;
    padding: number;
    angle: number;
    font?: string;
  };
  position: string;
  width?: string;
  height?: string;
  /** How it fits width and height; absent: inside. */
  fit?: Fit;
  x?: number;
  y?: number;
  padding?: number;
  /** 0 to 100. */
  alpha: number;
}

/** Facts read from an uploaded image. */
export interface ImageFacts {
  width: number;
  height: number;
  mime: string;
  exif: Record<string, string | number>;
  /** From IPTC and XMP. */
  title: string;
  description: string;
  keywords: string[];
  palette: string[];
  thumbhash: string;
}

export interface ImageMaker {
  /** Decodes in a separate process, with limits of time and memory; fails with invalid for an invalid image. */
  make(
    sourcePath: string,
    recipe: ImageRecipe,
    targetPath: string,
  ): Promise<{ size: number; width: number; height: number }>;
  inspect(sourcePath: string, want: { exif: boolean; palette: boolean; location: boolean }): Promise<ImageFacts>;
  /** HEIC to JPEG, metadata kept. */
  toJpeg(sourcePath: string, targetPath: string): Promise<void>;
  close(): Promise<void>;
}
