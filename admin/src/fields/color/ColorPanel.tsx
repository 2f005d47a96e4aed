// Chooses a colour: an area and a hue as screens mix them, lightness, chroma and hue as eyes see them, and given swatches.

import { type Color, readColor } from "@rules/color.ts";
import { useState } from "react";
import { ColorArea, ColorThumb, parseColor } from "react-aria-components/ColorArea";
import { ColorSlider, SliderTrack } from "react-aria-components/ColorSlider";
import type { FieldOption } from "#fields/options.ts";
import { Slider } from "#ui/Slider.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import css from "./color.module.css";

interface Props {
  value: Color | undefined;
  onChange: (value: Color) => void;
  swatches: readonly FieldOption[];
}

const start = "#808080";

export function ColorPanel({ value, onChange, swatches }: Props) {
  const words = useWords(fieldWords);
  const hex = value?.hex ?? start;
  // Greys have no hue, and black no saturation: the ones that were chosen stay where they are.
  const [picked, setPicked] = useState(() => parseColor(hex).toFormat("hsb"));
  const hsb = picked.toString("hex").toLowerCase() === hex ? picked : parseColor(hex).toFormat("hsb");
  const pick = (next: typeof hsb) => {
    setPicked(next);
    set(next.toString("hex"));
  };
  const set = (text: string) => {
    const color = readColor(text);
    if (color) onChange(color);
  };
  const { l, c, h } = (value ?? (readColor(start) as Color)).oklch;
  const exact = (part: Partial<Color["oklch"]>) => {
    const color = readColor({ oklch: { l, c, h, ...part } });
    if (color) onChange(color);
  };
  const stops = (make: (share: number) => string) =>
    `linear-gradient(to right, ${[0, 1, 2, 3, 4, 5, 6].map((at) => make(at / 6)).join(", ")})`;
  const mine = [
    {
      name: words.lightness,
      at: l,
      max: 100,
      step: 0.5,
      part: "l",
      track: stops((s) => `oklch(${s * 100}% ${c} ${h})`),
    },
    {
      name: words.chroma,
      at: c,
      max: 0.37,
      step: 0.005,
      part: "c",
      track: stops((s) => `oklch(${l}% ${s * 0.37} ${h})`),
    },
    {
      name: words.hue,
      at: h,
      max: 360,
      step: 1,
      part: "h",
      track: stops((s) => `oklch(${l}% ${Math.max(c, 0.1)} ${s * 360})`),
    },
  ] as const;
  return (
    <>
      <ColorArea
        aria-label={words.colorArea}
        colorSpace="hsb"
        xChannel="saturation"
        yChannel="brightness"
        value={hsb}
        onChange={(next) => pick(next.toFormat("hsb"))}
        className={css.area}
      >
        <ColorThumb className={css.thumb} />
      </ColorArea>
      <ColorSlider
        aria-label={words.hueOnScreen}
        colorSpace="hsb"
        channel="hue"
        value={hsb}
        onChange={(next) => pick(next.toFormat("hsb"))}
        className={css.hue}
      >
        <SliderTrack className={css.track}>
          <ColorThumb className={css.thumb} />
        </SliderTrack>
      </ColorSlider>
      {mine.map(({ name, at, max, step, part, track }) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the slider is inside
        <label key={part} className={css.exact}>
          <span aria-hidden="true">{name}</span>
          <Slider
            label={`${name} (OKLCH)`}
            min={0}
            max={max}
            step={step}
            value={Math.min(at, max)}
            onChange={(next) => exact({ [part]: next })}
            track={track}
          />
        </label>
      ))}
      {swatches.length > 0 && (
        <div className={css.swatches}>
          {swatches.map((option) => (
            <button
              key={option.value}
              type="button"
              className={css.choice}
              style={{ backgroundColor: option.value }}
              aria-label={option.label}
              aria-pressed={readColor(option.value)?.hex === value?.hex}
              data-tip={option.label}
              onClick={() => set(option.value)}
            />
          ))}
        </div>
      )}
    </>
  );
}
