// What the file says about itself: facts, the data of the camera, the main colours.

import { isJsonObject } from "@contract/json.ts";
import { CopyButton } from "#ui/CopyButton.tsx";
import { fileWords } from "#words/files.ts";
import { formatBytes, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./ImageDialog.module.css";
import { numberOf, textOf } from "./image-value.ts";
import type { ImageValue } from "./is-image.ts";

export function MetadataTab({ image }: { image: ImageValue }) {
  const words = useWords(fileWords);
  const facts: [label: string, text: string][] = [
    [words.facts.name, image.name],
    [words.facts.mime, textOf(image, "mime")],
    [words.facts.sides, words.sides(numberOf(image, "width"), numberOf(image, "height"))],
    [words.facts.size, formatBytes(numberOf(image, "size"))],
    [words.facts.uploadDate, textOf(image, "uploadDate") && formatDateTime(textOf(image, "uploadDate"))],
  ];
  const exif = Object.entries(isJsonObject(image.exif) ? image.exif : {})
    .filter(([, value]) => value !== null && value !== "")
    .map(([key, value]): [string, string] => [
      words.exif[key] ?? key,
      key === "date" ? formatDateTime(String(value)) : String(value),
    ]);
  const palette = Array.isArray(image.palette) ? image.palette.filter((color) => typeof color === "string") : [];
  return (
    <div className={css.metadata}>
      <section>
        <h3 className={css.heading}>{words.file}</h3>
        <Facts facts={facts.filter(([, text]) => text !== "")} />
      </section>
      <section>
        <h3 className={css.heading}>{words.camera}</h3>
        {exif.length > 0 ? <Facts facts={exif} /> : <p className={css.hint}>{words.noExif}</p>}
      </section>
      {palette.length > 0 && (
        <section>
          <h3 className={css.heading}>{words.palette}</h3>
          <ul className={css.palette}>
            {palette.map((color) => (
              <li key={color} className={css.color}>
                <span className={css.swatch} style={{ backgroundColor: color }} />
                <code>{color}</code>
                <CopyButton isIconOnly text={color} label={words.copyColor(color)} copiedLabel={words.copied} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className={css.facts}>
      {facts.map(([label, text]) => (
        <div key={label} className={css.fact}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
