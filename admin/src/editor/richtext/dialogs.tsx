// What the editor asks for: the address of a link, a picture, the name of an anchor, a colour, a block of HTML.

import type { Editor } from "@tiptap/core";
import { Upload } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { richtextWords } from "#words/richtext.ts";
import { isSafeAddress, type Kept } from "./attributes.ts";
import {
  insertHtml,
  linkAt,
  removeLink,
  replaceHtml,
  selectedNode,
  setImage,
  setInlineStyle,
  setLink,
} from "./commands.ts";
import { isColor } from "./toolbar-config.ts";
import { escapeText } from "./write.ts";

export type OpenDialog =
  | { kind: "link" }
  | { kind: "image" }
  | { kind: "anchor" }
  | { kind: "color"; property: string }
  /** At a place of the document; without one it is new. */
  | { kind: "html"; pos?: number };

interface Props {
  editor: Editor;
  onClose: () => void;
  onUpload: (alt: string) => void;
}

export function EditorDialog({ dialog, ...props }: Props & { dialog: OpenDialog }) {
  if (dialog.kind === "color") return <ColorDialog {...props} property={dialog.property} />;
  if (dialog.kind === "html") return <HtmlDialog {...props} pos={dialog.pos} />;
  if (dialog.kind === "link") return <LinkDialog {...props} />;
  return dialog.kind === "image" ? <ImageDialog {...props} /> : <AnchorDialog {...props} />;
}

interface FormProps {
  title: string;
  onClose: () => void;
  onApply: () => void;
  isDirty: boolean;
  more?: ReactNode;
  size?: "small" | "medium" | "large";
  children: ReactNode;
}

function FormDialog({ title, onClose, onApply, isDirty, more, size = "small", children }: FormProps) {
  const words = useWords(richtextWords);
  return (
    <Dialog
      title={title}
      size={size}
      onClose={onClose}
      isDirty={isDirty}
      onSubmit={onApply}
      footer={(close) => (
        <>
          {more}
          <Button onPress={close}>{words.cancel}</Button>
          <Button variant="primary" type="submit">
            {words.apply}
          </Button>
        </>
      )}
    >
      {children}
    </Dialog>
  );
}

/** An address without a scheme that looks like a site gets one. */
function completeAddress(text: string): string {
  const address = text.trim();
  if (/^[\w-]+(?:\.[\w-]+)+(?:[/?#:].*)?$/.test(address)) return `https://${address}`;
  return /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(address) ? `mailto:${address}` : address;
}

function LinkDialog({ editor, onClose }: Props) {
  const words = useWords(richtextWords);
  const [present] = useState(() => linkAt(editor));
  const [href, setHref] = useState(present?.href ?? "");
  const [isNewTab, setIsNewTab] = useState(present?.isNewTab ?? false);
  const [error, setError] = useState("");
  const apply = () => {
    const address = completeAddress(href);
    if (address === "" ? !present : !isSafeAddress(address)) return setError(words.linkUnsafe);
    if (address === "") removeLink(editor);
    else setLink(editor, { href: address, isNewTab });
    onClose();
  };
  const remove = present && (
    <Button
      variant="quiet"
      onPress={() => {
        removeLink(editor);
        onClose();
      }}
    >
      {words.removeLink}
    </Button>
  );
  const isDirty = href !== (present?.href ?? "") || isNewTab !== (present?.isNewTab ?? false);
  return (
    <FormDialog title={words.link} onClose={onClose} onApply={apply} isDirty={isDirty} more={remove}>
      <TextInput
        label={words.address}
        description={words.linkHelp}
        value={href}
        onChange={setHref}
        error={error || undefined}
        autoComplete="off"
        autoFocus
      />
      <Checkbox label={words.newTab} isSelected={isNewTab} onChange={setIsNewTab} />
    </FormDialog>
  );
}

function ImageDialog({ editor, onClose, onUpload }: Props) {
  const words = useWords(richtextWords);
  const [present] = useState(() => {
    const selected = selectedNode(editor);
    return selected?.node.type.name === "image" ? ((selected.node.attrs.keep ?? {}) as NonNullable<Kept>) : undefined;
  });
  const [src, setSrc] = useState(present?.src ?? "");
  const [alt, setAlt] = useState(present?.alt ?? "");
  const [error, setError] = useState("");
  const apply = () => {
    const address = completeAddress(src);
    if (address === "" || !(isSafeAddress(address) || /^data:image\//i.test(address)))
      return setError(words.imageNeeded);
    setImage(editor, { src: address, alt });
    onClose();
  };
  const upload = (
    <Button icon={Upload} onPress={() => onUpload(alt)}>
      {words.uploadImage}
    </Button>
  );
  const isDirty = src !== (present?.src ?? "") || alt !== (present?.alt ?? "");
  return (
    <FormDialog title={words.image} size="medium" onClose={onClose} onApply={apply} isDirty={isDirty} more={upload}>
      <TextInput
        label={words.address}
        value={src}
        onChange={setSrc}
        error={error || undefined}
        autoComplete="off"
        autoFocus
      />
      <TextInput label={words.altText} description={words.altHelp} value={alt} onChange={setAlt} autoComplete="off" />
    </FormDialog>
  );
}

function AnchorDialog({ editor, onClose }: Props) {
  const words = useWords(richtextWords);
  const [name, setName] = useState("");
  const apply = () => {
    const id = name.trim().replace(/^#/, "").replace(/\s+/g, "-");
    if (id !== "") insertHtml(editor, `<a id="${escapeText(id).replaceAll('"', "&quot;")}"></a>`);
    onClose();
  };
  return (
    <FormDialog title={words.anchor} onClose={onClose} onApply={apply} isDirty={name !== ""}>
      <TextInput
        label={words.anchorName}
        description={words.anchorHelp}
        value={name}
        onChange={setName}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}

function ColorDialog({ editor, onClose, property }: Props & { property: string }) {
  const words = useWords(richtextWords);
  const [color, setColor] = useState("");
  const [error, setError] = useState("");
  const apply = () => {
    if (!isColor(color.trim())) return setError(words.colorWrong);
    setInlineStyle(editor, property, color.trim());
    onClose();
  };
  const title = property === "color" ? words.textColor : words.textBgColor;
  return (
    <FormDialog title={title} onClose={onClose} onApply={apply} isDirty={color !== ""}>
      <TextInput
        label={title}
        description={words.colorHelp}
        value={color}
        onChange={setColor}
        error={error || undefined}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}

function HtmlDialog({ editor, onClose, pos }: Props & { pos: number | undefined }) {
  const words = useWords(richtextWords);
  const [stored] = useState(() => (pos === undefined ? "" : String(editor.state.doc.nodeAt(pos)?.attrs.html ?? "")));
  const [html, setHtml] = useState(stored);
  const apply = () => {
    if (pos !== undefined && html !== stored) replaceHtml(editor, pos, html);
    else if (pos === undefined && html.trim() !== "")
      editor.chain().insertContent({ type: "htmlBlock", attrs: { html } }).run();
    onClose();
  };
  return (
    <FormDialog title={words.htmlBlock} size="large" onClose={onClose} onApply={apply} isDirty={html !== stored}>
      <TextArea
        label={words.html}
        description={words.htmlBlockHelp}
        value={html}
        onChange={setHtml}
        isMono
        rows={12}
        spellCheck={false}
      />
    </FormDialog>
  );
}
