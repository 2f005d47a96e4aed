// HTML of others, shown in a frame in which nothing runs. It is white like a page without a style of its own.

import { useMemo } from "react";
import css from "./PreviewFrame.module.css";
import { previewDocument } from "./preview-document.ts";

interface Props {
  /** Name of the frame. */
  title: string;
  html: string;
  /** In pixels; as wide as there is room unless set. */
  width?: number | undefined;
}

export function PreviewFrame({ title, html, width }: Props) {
  const page = useMemo(() => previewDocument(html), [html]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide page scrolls, also by keys
    // biome-ignore lint/a11y/useSemanticElements: it is no field set
    <div className={css.ground} role="group" aria-label={title} tabIndex={0}>
      <iframe
        title={title}
        sandbox=""
        srcDoc={page}
        className={css.frame}
        style={width === undefined ? undefined : { inlineSize: `${width}px` }}
      />
    </div>
  );
}
