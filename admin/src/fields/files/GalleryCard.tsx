// One picture of a gallery: a row of its grid. Its buttons are for the pointer; the row itself has a key for each of them.

import { EllipsisVertical, GripVertical, Pencil, Star, StarOff, Trash2 } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { EditablePicture } from "#files/image/EditablePicture.tsx";
import type { ImageValue } from "#files/image/is-image.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { moveActions } from "#ui/moves.ts";
import ordering from "#ui/ordering.module.css";
import type { Ordering } from "#ui/useOrdering.ts";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import css from "./files.module.css";

interface Props {
  image: ImageValue;
  at: number;
  count: number;
  order: Ordering;
  /** The one that the Tab key stops at. */
  isStop: boolean;
  isChosen: boolean;
  isDisabled: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onChoose: (isRange: boolean) => void;
  onEdit: () => void;
  onMove: (from: number, to: number) => void;
  onFeature: () => void;
  onRemove: () => void;
}

export function GalleryCard(props: Props) {
  const { image, at, count, order, isStop, isChosen, isDisabled, onEdit, onMove, onFeature, onRemove, onChoose } =
    props;
  const words = useWords(fileWords);
  const ofUi = useWords(uiWords);
  const { name } = image;
  const isRange = useRef(false);
  const entry = order.entry(at);
  const isFeatured = image.featured === true;
  return (
    // biome-ignore lint/a11y/useSemanticElements: pictures in lines are no table
    <div
      {...entry}
      role="row"
      aria-label={name}
      aria-rowindex={at + 1}
      aria-selected={isChosen}
      tabIndex={isStop ? 0 : -1}
      className={classes(css.card, ordering.line, isChosen && css.chosen)}
      onFocus={props.onFocus}
      onKeyDown={(event) => {
        entry.onKeyDown(event);
        if (!event.defaultPrevented) props.onKeyDown(event);
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="gridcell" tabIndex={-1} className={css.cell}>
        <EditablePicture image={image} ratio={4 / 3} size={200} tabIndex={-1} onEdit={onEdit} hasMarkBelow />
        <span
          className={css.tick}
          onClickCapture={(event) => {
            isRange.current = event.shiftKey;
          }}
        >
          <Checkbox
            label={words.selectImage(name)}
            isLabelHidden
            isSelected={isChosen}
            isDisabled={isDisabled}
            onChange={() => onChoose(isRange.current)}
            tabIndex={-1}
          />
        </span>
        <IconButton
          isSmall
          icon={Star}
          label={words.isFeatured}
          aria-pressed={isFeatured}
          isDisabled={isDisabled}
          tabIndex={-1}
          className={classes(css.star, isFeatured && css.featured)}
          onPress={onFeature}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="gridcell" tabIndex={-1} className={css.foot}>
        <span className={css.cardName} title={name}>
          {name}
        </span>
        <Menu
          isSmall
          button={<IconButton isSmall icon={EllipsisVertical} label={words.actionsFor(name)} tabIndex={-1} />}
          placement="bottom end"
          isDisabled={isDisabled}
          items={[
            { id: "edit", label: words.edit, icon: Pencil, onAction: onEdit },
            {
              id: "feature",
              label: isFeatured ? words.endFeatured : words.makeFeatured,
              icon: isFeatured ? StarOff : Star,
              onAction: onFeature,
            },
            { section: "", items: moveActions(ofUi, at, count, onMove) },
            {
              section: "",
              items: [{ id: "remove", label: words.remove, icon: Trash2, tone: "danger", onAction: onRemove }],
            },
          ]}
        />
        <span {...order.handle(at)} className={ordering.grip} data-grip aria-hidden="true">
          <Icon of={GripVertical} />
        </span>
      </div>
    </div>
  );
}
