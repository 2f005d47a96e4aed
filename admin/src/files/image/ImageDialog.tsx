// All about one picture. "Apply" puts it into the form as an unsaved change; the file itself is never touched here.

import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import { AddressTab } from "./AddressTab.tsx";
import { FocalTab } from "./FocalTab.tsx";
import css from "./ImageDialog.module.css";
import { focusOf, isLink, readTags, tagsOf, textOf } from "./image-value.ts";
import type { ImageValue } from "./is-image.ts";
import { MetadataTab } from "./MetadataTab.tsx";
import { Picture } from "./Picture.tsx";

type Tab = "details" | "focal" | "metadata" | "address";

interface Props {
  image: ImageValue;
  /** Where it lies in the object, for templates. */
  path: string;
  onApply: (image: ImageValue) => void;
  onClose: () => void;
}

export function ImageDialog({ image, path, onApply, onClose }: Props) {
  const words = useWords(fileWords);
  const common = useWords(commonWords);
  const [tab, setTab] = useState<Tab>("details");
  const [alt, setAlt] = useState(textOf(image, "alt"));
  const [link, setLink] = useState(textOf(image, "link"));
  const [tags, setTags] = useState(tagsOf(image).join(", "));
  const [isFeatured, setIsFeatured] = useState(image.featured === true);
  const [focus, setFocus] = useState(focusOf(image));
  const before = focusOf(image);
  const changes = {
    ...(alt !== textOf(image, "alt") && { alt }),
    ...(link !== textOf(image, "link") && { link }),
    ...(readTags(tags).join("\n") !== tagsOf(image).join("\n") && { tags: readTags(tags) }),
    ...(isFeatured !== (image.featured === true) && { featured: isFeatured }),
    ...((focus.x !== before.x || focus.y !== before.y) && { focalpoint: focus }),
  };
  const isDirty = Object.keys(changes).length > 0;
  const linkProblem = isLink(link) ? undefined : words.linkWrong;
  const submit = () => {
    if (linkProblem) return setTab("details");
    if (isDirty) onApply({ ...image, ...changes });
    onClose();
  };
  return (
    <Dialog
      title={image.name}
      size="large"
      onClose={onClose}
      isDirty={isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit">
            {words.apply}
          </Button>
        </>
      )}
    >
      <Tabs
        label={words.imageViews}
        selected={tab}
        onSelect={(next) => setTab(next as Tab)}
        tabs={[
          { id: "details", label: words.details },
          { id: "focal", label: words.focalPoint },
          { id: "metadata", label: words.metadata },
          { id: "address", label: words.address },
        ]}
      >
        {tab === "details" && (
          <div className={css.columns}>
            <Picture image={image} size={360} className={css.picture} />
            <div className={css.fields}>
              <TextArea
                label={words.altText}
                description={words.altHelp}
                value={alt}
                onChange={setAlt}
                rows={2}
                data-autofocus
              />
              <TextInput
                label={words.link}
                description={words.linkHelp}
                value={link}
                onChange={setLink}
                error={linkProblem}
                autoComplete="off"
              />
              <TextInput
                label={words.tags}
                description={words.tagsHelp}
                value={tags}
                onChange={setTags}
                autoComplete="off"
              />
              <Checkbox label={words.featured} isSelected={isFeatured} onChange={setIsFeatured} />
            </div>
          </div>
        )}
        {tab === "focal" && <FocalTab image={image} focus={focus} onChange={setFocus} />}
        {tab === "metadata" && <MetadataTab image={image} />}
        {tab === "address" && <AddressTab image={image} path={path} focus={focus} />}
      </Tabs>
    </Dialog>
  );
}
