// Builds the address of a picture in another size and format, with a live preview, to copy as URL or as Liquid.

import { useDeferredValue, useState } from "react";
import { CopyButton } from "#ui/CopyButton.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import type { Focus } from "./FocalTab.tsx";
import css from "./ImageDialog.module.css";
import {
  type AddressChoice,
  fits,
  formats,
  isCount,
  liquidOf,
  mostQuality,
  mostSide,
  previewUrl,
} from "./image-address.ts";
import { textOf } from "./image-value.ts";
import type { ImageValue } from "./is-image.ts";

interface Props {
  image: ImageValue;
  path: string;
  /** As chosen in the dialog. */
  focus: Focus;
}

export function AddressTab({ image, path, focus }: Props) {
  const words = useWords(fileWords);
  const [choice, setChoice] = useState<AddressChoice>({
    width: "800",
    height: "",
    fit: "inside",
    format: "webp",
    quality: "",
  });
  const put = (next: Partial<AddressChoice>) => setChoice({ ...choice, ...next });
  const problem = (text: string, most: number) => (isCount(text, most) ? undefined : words.wholeFrom(1, most));
  const isRight =
    isCount(choice.width, mostSide) && isCount(choice.height, mostSide) && isCount(choice.quality, mostQuality);
  const url = previewUrl(textOf(image, "url"), choice);
  const shown = useDeferredValue(isRight ? previewUrl(textOf(image, "url"), choice, focus) : undefined);
  const [failed, setFailed] = useState<string>();
  return (
    <div className={css.columns}>
      <div className={css.fields}>
        <p className={css.hint}>{words.addressIntro}</p>
        <div className={css.pair}>
          <TextInput
            label={words.width}
            inputMode="numeric"
            value={choice.width}
            onChange={(width) => put({ width: width.trim() })}
            error={problem(choice.width, mostSide)}
          />
          <TextInput
            label={words.height}
            inputMode="numeric"
            value={choice.height}
            onChange={(height) => put({ height: height.trim() })}
            error={problem(choice.height, mostSide)}
          />
          <TextInput
            label={words.quality}
            inputMode="numeric"
            value={choice.quality}
            onChange={(quality) => put({ quality: quality.trim() })}
            error={problem(choice.quality, mostQuality)}
          />
        </div>
        <RadioGroup
          label={words.format}
          look="segments"
          value={choice.format}
          onChange={(format) => put({ format })}
          options={[
            { value: "", label: words.asStored },
            ...formats.map((value) => ({ value, label: value.toUpperCase() })),
          ]}
        />
        <RadioGroup
          label={words.fit}
          value={choice.fit}
          onChange={(fit) => put({ fit })}
          options={fits.map((value) => ({ value, label: words.fits[value] }))}
        />
      </div>
      <div className={css.fields}>
        <figure className={css.try}>
          {shown !== undefined && failed !== shown ? (
            <img src={shown} alt={words.preview} onError={() => setFailed(shown)} />
          ) : (
            <figcaption className={css.hint}>{words.previewFailed}</figcaption>
          )}
        </figure>
        <Output label={words.urlOutput} copy={words.copyUrl} text={new URL(url, location.href).href} />
        <Output label={words.liquidOutput} copy={words.copyLiquid} text={liquidOf(path, choice)} />
      </div>
    </div>
  );
}

function Output({ label, copy, text }: { label: string; copy: string; text: string }) {
  const words = useWords(fileWords);
  return (
    <TextInput
      label={label}
      value={text}
      onChange={() => {}}
      isReadOnly
      isMono
      after={<CopyButton isIconOnly text={text} label={copy} copiedLabel={words.copied} />}
    />
  );
}
