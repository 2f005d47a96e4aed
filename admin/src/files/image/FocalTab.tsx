// The point of a picture that crops keep in view: a cross to drag, two sliders for the keyboard, and the crops as they will be.

import { type PointerEvent, useRef } from "react";
import { fileWords } from "#words/files.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./ImageDialog.module.css";
import type { ImageValue } from "./is-image.ts";
import { Picture } from "./Picture.tsx";

export interface Focus {
  x: number;
  y: number;
}

const crops = [
  { name: "1:1", ratio: 1 },
  { name: "16:9", ratio: 16 / 9 },
  { name: "4:5", ratio: 4 / 5 },
];

interface Props {
  image: ImageValue;
  focus: Focus;
  onChange: (focus: Focus) => void;
}

export function FocalTab({ image, focus, onChange }: Props) {
  const words = useWords(fileWords);
  const frame = useRef<HTMLDivElement>(null);
  const shown = { ...image, focalpoint: { ...focus } };
  const put = ({ clientX, clientY }: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    const share = (at: number, size: number) => Math.round(Math.min(1, Math.max(0, at / size)) * 100);
    onChange({ x: share(clientX - box.left, box.width), y: share(clientY - box.top, box.height) });
  };
  return (
    <div className={css.columns}>
      <div className={css.focal}>
        <div
          ref={frame}
          className={css.board}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            put(event);
          }}
          onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && put(event)}
        >
          <Picture image={shown} size={480} hasCross />
        </div>
        <p className={css.hint}>{words.focalHelp}</p>
        <Slider label={words.horizontal} value={focus.x} onChange={(x) => onChange({ ...focus, x })} />
        <Slider label={words.vertical} value={focus.y} onChange={(y) => onChange({ ...focus, y })} />
      </div>
      <div className={css.crops}>
        <h3 className={css.heading}>{words.crops}</h3>
        {crops.map(({ name, ratio }) => (
          <figure key={name} className={css.crop}>
            <Picture image={shown} ratio={ratio} size={160} />
            <figcaption>{name}</figcaption>
          </figure>
        ))}
      </div>
    </div>
  );
}

function Slider({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <label className={css.slider}>
      <span className={css.sliderLabel}>{label}</span>
      <input
        type="range"
        aria-label={label}
        min={0}
        max={100}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <span className={css.sliderValue} aria-hidden="true">
        {formatNumber(value)} %
      </span>
    </label>
  );
}
