// The field of several pictures: a grid of them to put in order, to describe and to remove, one by one or several at once.

import { Images } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from "react";
import type { FieldInputProps, FieldReadProps } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { mergeGallery, textOf } from "#files/image/image-value.ts";
import { type ImageValue, imagesOf } from "#files/image/is-image.ts";
import { Picture } from "#files/image/Picture.tsx";
import { DropArea } from "#files/taking/DropArea.tsx";
import { pictureTypes } from "#files/taking/file-rules.ts";
import { UploadButtons } from "#files/taking/UploadButtons.tsx";
import { Button } from "#ui/Button.tsx";
import { describedBy, FieldFrame, frameOf, labelId } from "#ui/FieldFrame.tsx";
import { Icon } from "#ui/Icon.tsx";
import { moved } from "#ui/order.ts";
import { useOrdering } from "#ui/useOrdering.ts";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import { DescribeDialog } from "./DescribeDialog.tsx";
import { FieldUploads } from "./FieldUploads.tsx";
import css from "./files.module.css";
import { GalleryCard } from "./GalleryCard.tsx";
import { useTaking } from "./use-taking.ts";

const ImageDialog = lazy(() =>
  import("#files/image/ImageDialog.tsx").then((module) => ({ default: module.ImageDialog })),
);

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export function GalleryInput(props: FieldInputProps) {
  const { id, path, property, value, onChange, description, error, isDisabled } = props;
  const words = useWords(fileWords);
  const images = imagesOf(value);
  const count = images.length;
  const { take, uploads, rules, interrupted } = useTaking(props, { takes: "pictures", merge: mergeGallery, count });
  const [edited, setEdited] = useState<string>();
  const [isDescribing, setIsDescribing] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState(0);
  const lastChosen = useRef(0);
  const grid = useRef<HTMLDivElement>(null);
  const selected = images.filter(({ name }) => chosen.has(name));
  const stop = Math.min(current, images.length - 1);
  const order = useOrdering({
    count: images.length,
    direction: "lines",
    isDisabled,
    onMove: (from, to) => {
      onChange(moved(images, from, to));
      setCurrent(to);
    },
  });

  const change = (names: ReadonlySet<string>, next: (image: ImageValue) => ImageValue) =>
    onChange(images.map((image) => (names.has(image.name) ? next(image) : image)));
  const remove = (names: ReadonlySet<string>) => {
    onChange(images.filter(({ name }) => !names.has(name)));
    setChosen(chosen.difference(names));
    focusRow(Math.min(stop, images.length - 1 - names.size));
  };
  const focusRow = (at: number) => {
    if (at < 0) return;
    setCurrent(at);
    requestAnimationFrame(() => grid.current?.querySelectorAll<HTMLElement>("[role=row]")[at]?.focus());
  };
  /** With `isRange` all from the one that was chosen last. */
  const choose = (at: number, isRange: boolean) => {
    const name = images[at]?.name ?? "";
    const [from, to] = [Math.min(at, lastChosen.current), Math.max(at, lastChosen.current)];
    const range = new Set(images.slice(from, to + 1).map((image) => image.name));
    setChosen(isRange ? chosen.union(range) : chosen.symmetricDifference(new Set([name])));
    lastChosen.current = at;
  };

  const press = (event: KeyboardEvent, at: number) => {
    if (event.altKey || !(event.target instanceof HTMLElement) || event.target.role !== "row") return;
    const name = images[at]?.name ?? "";
    const to =
      steps[event.key] !== undefined ? at + (steps[event.key] ?? 0) : { Home: 0, End: images.length - 1 }[event.key];
    if (to !== undefined) {
      const next = Math.max(0, Math.min(images.length - 1, to));
      if (event.shiftKey) choose(next, true);
      focusRow(next);
    } else if (event.key === "Enter") setEdited(name);
    else if (event.key === " ") choose(at, event.shiftKey);
    else if (event.key === "Delete") remove(chosen.has(name) ? chosen : new Set([name]));
    else if (event.key === "Escape" && chosen.size > 0) setChosen(new Set());
    else if (event.key === "a" && event.ctrlKey) setChosen(new Set(images.map((image) => image.name)));
    else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))
      event.target.querySelector<HTMLElement>("[aria-haspopup]")?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const buttons = (
    <UploadButtons
      label={property.label}
      accept={pictureTypes}
      isMultiple
      isDisabled={isDisabled}
      describedBy={images.length > 0 ? undefined : `${id}-rules`}
      onFiles={(files) => take(files)}
      onUrl={(address) => take([address])}
    />
  );
  const inEdit = images.find(({ name }) => name === edited);
  const described = describedBy(id, { help: description, error });
  return (
    <FieldFrame {...frameOf(frameProps(props))} htmlFor={id} isGroup>
      {images.length === 0 ? (
        <DropArea
          role="group"
          aria-labelledby={labelId(id)}
          aria-describedby={described}
          onFiles={(files) => take(files)}
          isDisabled={isDisabled}
          className={css.empty}
        >
          <Icon of={Images} size={20} />
          <p className={css.invitation}>{words.dropMany}</p>
          <div className={css.actions}>{buttons}</div>
          <p className={css.rules} id={`${id}-rules`}>
            {rules.join(" · ")}
          </p>
        </DropArea>
      ) : (
        <DropArea onFiles={(files) => take(files)} isDisabled={isDisabled} className={css.gallery}>
          <div className={css.bar}>
            {selected.length === 0 ? (
              <>
                {buttons}
                <span className={css.count}>{words.images(images.length)}</span>
              </>
            ) : (
              <>
                <span role="status" className={css.count}>
                  {words.selected(selected.length)}
                </span>
                <Button onPress={() => setIsDescribing(true)}>{words.describe}</Button>
                <Button variant="danger" onPress={() => remove(chosen)}>
                  {words.remove}
                </Button>
                <Button variant="quiet" onPress={() => setChosen(new Set())}>
                  {words.clearSelection}
                </Button>
              </>
            )}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: pictures in lines are no table */}
          <div
            ref={grid}
            role="grid"
            tabIndex={-1}
            aria-labelledby={labelId(id)}
            aria-describedby={described}
            aria-multiselectable
            aria-rowcount={images.length}
            className={css.grid}
          >
            {images.map((image, at) => (
              <GalleryCard
                key={image.name}
                image={image}
                at={at}
                count={images.length}
                order={order}
                isStop={at === stop}
                isChosen={chosen.has(image.name)}
                isDisabled={isDisabled}
                onFocus={() => setCurrent(at)}
                onKeyDown={(event) => press(event, at)}
                onChoose={(isRange) => choose(at, isRange)}
                onEdit={() => setEdited(image.name)}
                onMove={(from, to) => {
                  onChange(moved(images, from, to));
                  focusRow(to);
                }}
                onFeature={() =>
                  change(new Set([image.name]), (before) => ({ ...before, featured: before.featured !== true }))
                }
                onRemove={() => remove(new Set([image.name]))}
              />
            ))}
          </div>
        </DropArea>
      )}
      <FieldUploads uploads={uploads} interrupted={interrupted} />
      {inEdit && (
        <Suspense>
          <ImageDialog
            image={inEdit}
            path={`${path}[${images.indexOf(inEdit)}]`}
            onApply={(next) => change(new Set([inEdit.name]), () => next)}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
      {isDescribing && (
        <DescribeDialog
          count={selected.length}
          onApply={(said) => {
            change(chosen, (image) => ({ ...image, ...said }));
            setIsDescribing(false);
          }}
          onClose={() => setIsDescribing(false)}
        />
      )}
    </FieldFrame>
  );
}

export function GalleryRead({ value }: FieldReadProps) {
  const words = useWords(fileWords);
  return (
    <ul className={css.readGrid}>
      {imagesOf(value).map((image) => (
        <li key={image.name}>
          <figure className={css.figure}>
            <Picture image={image} ratio={4 / 3} size={200} alt={textOf(image, "alt")} />
            <figcaption className={css.caption}>
              <span className={css.name}>{image.name}</span>
              <span>{textOf(image, "alt") === "" ? words.noAlt : textOf(image, "alt")}</span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
