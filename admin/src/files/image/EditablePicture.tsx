// A thumbnail that opens the image dialog; a missing alt text is marked on it.

import { CaptionsOff, Pencil } from "lucide-react";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import css from "./EditablePicture.module.css";
import { textOf } from "./image-value.ts";
import type { ImageValue } from "./is-image.ts";
import { Picture } from "./Picture.tsx";

interface Props {
  image: ImageValue;
  ratio: number;
  size: number;
  onEdit: () => void;
  hasCross?: boolean;
  /** What is missing is marked below, where the corners above are taken. */
  hasMarkBelow?: boolean;
  className?: string;
  tabIndex?: number;
}

export function EditablePicture(props: Props) {
  const { image, ratio, size, onEdit, hasCross, hasMarkBelow, className, tabIndex } = props;
  const words = useWords(fileWords);
  const hasAlt = textOf(image, "alt").trim() !== "";
  return (
    <span className={classes(css.frame, className)}>
      <button type="button" className={css.button} tabIndex={tabIndex} onClick={onEdit}>
        <Picture image={image} ratio={ratio} size={size} hasCross={hasCross} />
        <span className={css.edit}>
          <Icon of={Pencil} />
          {words.edit}
          <VisuallyHidden> {image.name}</VisuallyHidden>
        </span>
      </button>
      {!hasAlt && (
        <span className={classes(css.missing, hasMarkBelow && css.below)}>
          <Icon of={CaptionsOff} />
          {hasMarkBelow ? words.noAltShort : words.noAlt}
        </span>
      )}
    </span>
  );
}
