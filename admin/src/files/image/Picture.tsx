// A stored image: blurred first, then the picture, with its focal point where asked.

import { useState } from "react";
import { classes } from "#ui/classes.ts";
import { blurOf } from "./blur.ts";
import { imageUrl } from "./image-url.ts";
import { cropPosition, focusOf, numberOf, textOf } from "./image-value.ts";
import type { ImageValue } from "./is-image.ts";
import css from "./Picture.module.css";

interface Props {
  image: ImageValue;
  /** Width over height of the box; the picture's own without it. */
  ratio?: number;
  /** Of the longer side, in CSS pixels. */
  size: number;
  /** Described elsewhere: empty. */
  alt?: string;
  hasCross?: boolean;
  className?: string;
}

export function Picture({ image, ratio, size, alt = "", hasCross, className }: Props) {
  const [isThere, setIsThere] = useState(false);
  const focus = focusOf(image);
  const sides = { width: numberOf(image, "width"), height: numberOf(image, "height") };
  const position = ratio === undefined ? { x: 50, y: 50 } : cropPosition(sides, ratio, focus);
  const own = sides.width > 0 && sides.height > 0 ? sides.width / sides.height : 1;
  const blur = blurOf(textOf(image, "thumbhash"));
  const cross = crossAt(own, ratio ?? own, focus, position);
  // Twice as many pixels, for sharp screens; a crop needs more of the side that is cut.
  const pixels = Math.ceil(2 * size * Math.min(4, Math.max(own / (ratio ?? own), (ratio ?? own) / own)));
  return (
    <span className={classes(css.frame, className)} style={{ aspectRatio: ratio ?? own }}>
      {!isThere && blur && <img src={blur} alt="" className={css.blur} style={objectPosition(position)} />}
      {textOf(image, "url") !== "" && (
        <img
          src={imageUrl(textOf(image, "url"), { w: pixels, h: pixels })}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          className={css.picture}
          style={objectPosition(position)}
          onLoad={() => setIsThere(true)}
        />
      )}
      {hasCross && (
        <span className={css.cross} style={{ insetInlineStart: `${cross.x}%`, insetBlockStart: `${cross.y}%` }} />
      )}
    </span>
  );
}

function objectPosition({ x, y }: { x: number; y: number }) {
  return { objectPosition: `${x}% ${y}%` };
}

/** Where the focal point lies in the box, in percent. */
function crossAt(own: number, ratio: number, focus: { x: number; y: number }, position: { x: number; y: number }) {
  const along = (length: number, point: number, shift: number) =>
    length <= 1 ? point : point * length - (shift / 100) * (length - 1) * 100;
  const share = own / ratio;
  return { x: along(share, focus.x, position.x), y: along(1 / share, focus.y, position.y) };
}
