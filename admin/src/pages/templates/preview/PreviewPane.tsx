// The live preview of a template: its data, the result, its mistakes. Used by the pages of templates and by the playground.

import { Eye } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { CodeText } from "#fields/code/CodeText.tsx";
import { Problem } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Notice } from "#ui/Notice.tsx";
import { PreviewFrame } from "#ui/preview/PreviewFrame.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { previewWords } from "#words/preview.ts";
import { DataPicker } from "./DataPicker.tsx";
import { isOfSite, OpenPage } from "./OpenPage.tsx";
import css from "./preview.module.css";
import { type PreviewState, usePreview } from "./use-preview.ts";
import { usePreviewData } from "./use-preview-data.ts";

interface Props {
  template: string;
  /** Of a stored template: it is rendered as the site does, and can be opened as a page of it. */
  id?: string;
  /** What is wrong with it, for the marks in the editor. */
  onErrors: (errors: PreviewState["errors"]) => void;
  /** Heading of the pane. */
  title: string;
}

const widths: Record<string, number | undefined> = { full: undefined, tablet: 768, phone: 375 };

export function PreviewPane({ template, id: templateId, onErrors, title }: Props) {
  const words = useWords(previewWords);
  const id = useId();
  const choice = usePreviewData(words.noJson);
  const { html, errors, failure, isRendering, renderNow } = usePreview(template, choice.data, templateId);
  const [width, setWidth] = useState("full");
  const [view, setView] = useState("page");
  const isSlow = useDelayed(isRendering, 300);
  useEffect(() => onErrors(errors), [errors, onErrors]);
  const isOutdated = errors.length > 0 || Boolean(failure) || choice.data === undefined;
  const state = isSlow ? words.rendering : isOutdated ? words.outdated : words.current;
  return (
    <section className={css.pane} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        <p role="status" className={css.state}>
          {html === undefined && isOutdated ? words.notShown : state}
        </p>
        <IconButton label={words.preview} icon={Eye} onPress={renderNow} />
        {templateId !== undefined && isOfSite(templateId) && (
          <OpenPage id={templateId} text={template} object={choice.data} />
        )}
      </div>
      <DataPicker choice={choice} />
      <Mistakes errors={errors} />
      {failure !== undefined && <Problem error={failure} />}
      <div className={css.looks}>
        <RadioGroup
          label={words.view}
          look="segments"
          value={view}
          onChange={setView}
          options={[
            { value: "page", label: words.page },
            { value: "source", label: words.source },
          ]}
        />
        {view === "page" && (
          <RadioGroup
            label={words.width}
            look="segments"
            value={width}
            onChange={setWidth}
            options={[
              { value: "full", label: words.full },
              { value: "tablet", label: words.tablet },
              { value: "phone", label: words.phone },
            ]}
          />
        )}
      </div>
      {view === "page" ? (
        <PreviewFrame title={title} html={html ?? ""} width={widths[width]} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
        <section className={css.source} aria-label={words.source} tabIndex={0}>
          <CodeText text={html ?? ""} />
        </section>
      )}
    </section>
  );
}

function Mistakes({ errors }: Pick<PreviewState, "errors">) {
  const words = useWords(previewWords);
  return (
    <div role="status" className={css.mistakes}>
      {errors.map(({ line, column, message, template }) => (
        <Notice key={`${line} ${message}`} tone="bad">
          {template !== undefined ? (
            <TextLink to="/admin/templates/$" params={{ _splat: template }}>
              {words.mistakeIn(template, line, message)}
            </TextLink>
          ) : line > 0 ? (
            words.mistakeAt(line, column, message)
          ) : (
            message
          )}
        </Notice>
      ))}
    </div>
  );
}
