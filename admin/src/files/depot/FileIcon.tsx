// The picture for a kind of file.

import {
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
} from "lucide-react";
import { Icon } from "#ui/Icon.tsx";
import css from "./FileGrid.module.css";

const kinds: readonly [pattern: RegExp, icon: LucideIcon][] = [
  [/^image\//, FileImage],
  [/^video\//, FileVideo],
  [/^audio\//, FileAudio],
  [/csv|excel|spreadsheet/, FileSpreadsheet],
  [/zip|tar|gzip|compressed|7z|rar/, FileArchive],
  [/^text\/|pdf|word|document|json|xml/, FileText],
];

export function FileIcon({ mime, size }: { mime: string; size?: 16 | 20 }) {
  return <Icon of={kinds.find(([pattern]) => pattern.test(mime))?.[1] ?? File} size={size} className={css.icon} />;
}
