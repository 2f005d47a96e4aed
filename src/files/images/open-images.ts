// The image maker: asks the pool of image processes. Costs nothing until the first image, and never loads an image library here.

import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { ImageFacts, ImageMaker } from "#files/image-types.ts";
import type { Made } from "./jobs.ts";
import { type PoolLimits, poolLimits } from "./limits.ts";
import { createPool } from "./pool.ts";

const maxProcesses = 2;

export function openImages(options: {
  log: Logger;
  maxPixels(): number;
  cores?: number;
  limits?: Partial<PoolLimits>;
}): ImageMaker {
  const size = Math.max(1, Math.min(maxProcesses, options.cores ?? availableParallelism()));
  const pool = createPool({ size, limits: { ...poolLimits, ...options.limits }, log: options.log });
  return {
    async make(source, recipe, target) {
      return (await pool.run({ kind: "make", source, recipe, target, maxPixels: options.maxPixels() })) as Made;
    },
    async inspect(source, want) {
      return (await pool.run({ kind: "inspect", source, want, maxPixels: options.maxPixels() })) as ImageFacts;
    },
    async toJpeg(source, target) {
      await pool.run({ kind: "to-jpeg", source, target, maxPixels: options.maxPixels() });
    },
    close: () => pool.close(),
  };
}
