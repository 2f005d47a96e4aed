// What a card shows of an object: its image and title, then up to three values.

import { Images } from "lucide-react";
import { firstImage, ImageCell, Thumbnail } from "#grid/cells/ImageCell.tsx";
import { cellOf } from "#grid/cells/registry.ts";
import { type Column, isNumeric, type Row } from "#grid/columns.ts";
import { ObjectLink } from "#grid/ObjectLink.tsx";
import { Badge } from "#ui/Badge.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./table.module.css";

interface Props {
  row: Row;
  look: "lines" | "tiles";
  titleId: string;
  title: string;
  href: string;
  image: Column | undefined;
  /** What else may be shown. */
  columns: readonly Column[];
  onOpen: () => void;
}

const most = { lines: 3, tiles: 2 };
const tileImage = 240;

export function CardFace({ row, look, titleId, title, href, image, columns, onOpen }: Props) {
  const words = useWords(gridWords);
  const values = columns
    .filter(({ property, type }) => type !== "image" && !isBlank(row[property]))
    .slice(0, most[look]);
  const picture = image && firstImage(row[image.property]);
  return (
    <>
      {look === "tiles" && (
        <div className={css.picture}>
          {picture ? (
            <Thumbnail image={picture} size={tileImage} />
          ) : (
            <Images size={32} strokeWidth={1.25} aria-hidden />
          )}
        </div>
      )}
      {look === "lines" && image && picture && <ImageCell value={row[image.property]} column={image} row={row} />}
      <div className={look === "tiles" ? css.tileText : css.lineText}>
        <span className={css.titleCell}>
          <ObjectLink id={titleId} href={href} title={title} isLarge onOpen={onOpen} />
          {row.draft === true && <Badge tone="warn">{words.draft}</Badge>}
        </span>
        <span className={css.values}>
          {values.map((column) => {
            const Cell = cellOf(column);
            return (
              <span key={column.property} className={css.value} data-label={column.label}>
                {(column.type === "boolean" || isNumeric(column)) && <span className={css.label}>{column.label}</span>}
                <Cell value={row[column.property]} column={column} row={row} />
              </span>
            );
          })}
        </span>
      </div>
    </>
  );
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}
