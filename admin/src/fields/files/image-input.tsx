// The field of one picture: thumbnail, alt text, and the ways to bring a picture in.

import { ImagePlus, RefreshCw, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { FieldInputProps, FieldReadProps } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { EditablePicture } from "#files/image/EditablePicture.tsx";
import { mergeImage, numberOf, textOf } from "#files/image/image-value.ts";
import { type ImageValue, isImage } from "#files/image/is-image.ts";
import { Picture } from "#files/image/Picture.tsx";
import { DropArea } from "#files/taking/DropArea.tsx";
import { pictureTypes } from "#files/taking/file-rules.ts";
import { UploadButtons } from "#files/taking/UploadButtons.tsx";
import { describedBy, FieldFrame, frameOf, labelId } from "#ui/FieldFrame.tsx";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { fileWords } from "#words/files.ts";
import { formatBytes } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { FieldUploads, LocalPreview } from "./FieldUploads.tsx";
import css from "./files.module.css";
import { useTaking } from "./use-taking.ts";

const ImageDialog = lazy(() =>
  import("#files/image/ImageDialog.tsx").then((module) => ({ default: module.ImageDialog })),
);

export function ImageInput(props: FieldInputProps) {
  const { id, path, property, value, onChange, description, error, isDisabled } = props;
  const words = useWords(fileWords);
  const { take, uploads, rules, interrupted } = useTaking(props, { takes: "pictures", merge: mergeImage });
  const [isEditing, setIsEditing] = useState(false);
  const image = isImage(value) ? value : undefined;
  const { label } = property;
  // A property holds one picture: of several the first is taken.
  const takeOne = (files: readonly (File | string)[]) => take(files.slice(0, 1));
  const buttons = (
    <UploadButtons
      label={label}
      accept={pictureTypes}
      isDisabled={isDisabled}
      icon={image ? RefreshCw : undefined}
      tip={image && words.replaceTip}
      describedBy={image ? undefined : `${id}-rules`}
      onFiles={takeOne}
      onUrl={(address) => takeOne([address])}
    />
  );
  const incoming = uploads.find(({ state }) => state !== "done" && state !== "refused" && state !== "failed");
  return (
    <FieldFrame {...frameOf(frameProps(props))} htmlFor={id} isGroup>
      <DropArea
        role="group"
        aria-labelledby={labelId(id)}
        aria-describedby={describedBy(id, { help: description, error })}
        onFiles={takeOne}
        isDisabled={isDisabled}
        className={image ? css.image : css.empty}
      >
        {image ? (
          <>
            <EditablePicture
              image={image}
              ratio={4 / 3}
              size={180}
              className={css.thumbnail}
              onEdit={() => setIsEditing(true)}
              hasCross
            />
            <div className={css.side}>
              <p className={css.facts}>
                <span className={css.name} title={image.name}>
                  {image.name}
                </span>
                <span className={css.detail}>{factsLine(image, words)}</span>
              </p>
              <TextInput
                label={words.altTextOf(label)}
                value={textOf(image, "alt")}
                onChange={(alt) => onChange({ ...image, alt })}
                onBlur={props.onBlur}
                isDisabled={isDisabled}
                placeholder={words.altHelp}
                autoComplete="off"
              />
              <div className={css.actions}>
                {buttons}
                <IconButton
                  icon={Trash2}
                  label={words.removeFile(image.name)}
                  isDisabled={isDisabled}
                  onPress={() => onChange(null)}
                />
              </div>
            </div>
          </>
        ) : (
          <>
            {incoming ? <LocalPreview upload={incoming} className={css.preview} /> : <Icon of={ImagePlus} size={20} />}
            <p className={css.invitation}>{words.dropOne}</p>
            <div className={css.actions}>{buttons}</div>
            <p className={css.rules} id={`${id}-rules`}>
              {rules.join(" · ")}
            </p>
          </>
        )}
      </DropArea>
      <FieldUploads uploads={uploads} interrupted={interrupted} />
      {isEditing && image && (
        <Suspense>
          <ImageDialog image={image} path={path} onApply={onChange} onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
    </FieldFrame>
  );
}

export function ImageRead({ value }: FieldReadProps) {
  const words = useWords(fileWords);
  if (!isImage(value)) return null;
  const alt = textOf(value, "alt");
  return (
    <figure className={css.figure}>
      <Picture image={value} size={320} alt={alt} />
      <figcaption className={css.caption}>
        <span className={css.name}>{value.name}</span>
        <span className={css.detail}>{factsLine(value, words)}</span>
        <span>{alt === "" ? words.noAlt : alt}</span>
      </figcaption>
    </figure>
  );
}

function factsLine(image: ImageValue, words: (typeof fileWords)["en"]): string {
  const [width, height, size] = [numberOf(image, "width"), numberOf(image, "height"), numberOf(image, "size")];
  return [...(width > 0 ? [words.sides(width, height)] : []), ...(size > 0 ? [formatBytes(size)] : [])].join(" · ");
}
