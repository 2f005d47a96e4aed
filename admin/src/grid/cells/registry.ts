// Which cell shows values of which type; kinds of extensions may have cells of their own.

import type { PropertyType } from "@contract/schemas.ts";
import type { ComponentType } from "react";
import { isExtensionKind } from "#elements/kinds.ts";
import type { Column } from "#grid/columns.ts";
import { BooleanCell } from "./BooleanCell.tsx";
import { ColorCell } from "./ColorCell.tsx";
import { CountCell } from "./CountCell.tsx";
import type { CellProps } from "./cell.ts";
import { DateCell } from "./DateCell.tsx";
import { ExtensionCell } from "./ExtensionCell.tsx";
import { FileCell } from "./FileCell.tsx";
import { IdCell } from "./IdCell.tsx";
import { ImageCell } from "./ImageCell.tsx";
import { ListCell } from "./ListCell.tsx";
import { LocalizedCell } from "./LocalizedCell.tsx";
import { NumberCell } from "./NumberCell.tsx";
import { PasswordCell } from "./PasswordCell.tsx";
import { RatingCell } from "./RatingCell.tsx";
import { StructureCell } from "./StructureCell.tsx";
import { TextCell } from "./TextCell.tsx";

const cells: Record<PropertyType, ComponentType<CellProps>> = {
  array: ListCell,
  boolean: BooleanCell,
  card: StructureCell,
  code: StructureCell,
  color: ColorCell,
  date: DateCell,
  deck: CountCell,
  depot: CountCell,
  email: TextCell,
  file: FileCell,
  gallery: CountCell,
  image: ImageCell,
  integer: NumberCell,
  json: StructureCell,
  list: ListCell,
  localizedtext: LocalizedCell,
  number: NumberCell,
  object: StructureCell,
  password: PasswordCell,
  phone: TextCell,
  rating: RatingCell,
  slug: IdCell,
  string: TextCell,
  svg: StructureCell,
  time: TextCell,
  url: TextCell,
};

export function cellOf({ type, field }: Column): ComponentType<CellProps> {
  return isExtensionKind(field) ? ExtensionCell : cells[type];
}
