// The page of the object beside its form, as it would be with what is typed.

import { Share2, X } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import type { FormStore } from "#form/store.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useWords } from "#words/language.ts";
import { livePreviewWords } from "#words/live-preview.ts";
import css from "./preview.module.css";
import { useLivePreview } from "./use-live-preview.ts";

const SharePreview = lazy(() => import("./SharePreview.tsx").then((part) => ({ default: part.SharePreview })));

const widths = { phone: 390, tablet: 820, full: undefined } as const;
type Width = keyof typeof widths;

interface Props {
  collection: string;
  id: string;
  title: string;
  store: FormStore;
  onEdit: (property: string) => void;
  onClose: () => void;
}

export function PreviewPane({ collection, id, title, store, onEdit, onClose }: Props) {
  const words = useWords(livePreviewWords);
  const frame = useRef<HTMLIFrameElement>(null);
  const [width, setWidth] = useState<Width>("full");
  const [isSharing, setIsSharing] = useState(false);
  const { url, error, isUpdating, retry } = useLivePreview({ collection, id, store, frame, onEdit });
  const inlineSize = widths[width];
  return (
    <section className={css.pane} aria-label={words.preview} aria-busy={isUpdating || (!url && !error)}>
      <div className={css.bar}>
        <h2 className={css.title}>{words.preview}</h2>
        <RadioGroup
          label={words.width}
          isLabelHidden
          look="segments"
          value={width}
          onChange={(next) => setWidth(next as Width)}
          options={[
            { value: "phone", label: words.phone },
            { value: "tablet", label: words.tablet },
            { value: "full", label: words.full },
          ]}
        />
        <Button icon={Share2} onPress={() => setIsSharing(true)}>
          {words.share}
        </Button>
        <IconButton label={words.close} icon={X} onPress={onClose} />
      </div>
      {error && <Failed error={error} onRetry={retry} />}
      {url ? (
        <div className={css.ground}>
          <iframe
            ref={frame}
            title={words.previewOf(title)}
            src={url}
            sandbox="allow-scripts allow-forms allow-popups"
            className={css.frame}
            style={inlineSize === undefined ? undefined : { inlineSize: `${inlineSize}px` }}
          />
        </div>
      ) : (
        !error && <Skeleton height="60vh" />
      )}
      {isSharing && (
        <Suspense fallback={null}>
          <SharePreview collection={collection} id={id} onClose={() => setIsSharing(false)} />
        </Suspense>
      )}
    </section>
  );
}
