import { Copy, Ellipsis, ExternalLink, Monitor, Moon, Sun, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Menu } from "#ui/Menu.tsx";
import { Popover } from "#ui/Popover.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { Group } from "./Group.tsx";
import css from "./SpecimenPage.module.css";

export function Layers() {
  const [open, setOpen] = useState<"dialog" | "question" | "typed" | "sheet">();
  const [theme, setTheme] = useState("light");
  const [tab, setTab] = useState("form");
  const close = () => setOpen(undefined);
  return (
    <>
      <Group title="Menus and dialogs" isRow>
        <Menu
          button={{ label: "Actions for Hut rules", icon: Ellipsis }}
          items={[
            { id: "open", label: "Open page", icon: ExternalLink, href: "#opened" },
            {
              id: "copy",
              label: "Duplicate",
              icon: Copy,
              shortcut: "Ctrl+D",
              onAction: () => toast.good("Duplicated"),
            },
            { id: "off", label: "Not now", isDisabled: true },
            {
              section: "",
              items: [
                { id: "delete", label: "Delete", icon: Trash2, tone: "danger", onAction: () => setOpen("question") },
              ],
            },
          ]}
        />
        <Menu
          button="Look"
          items={[
            {
              radio: "Theme",
              value: theme,
              onChange: setTheme,
              options: [
                { value: "light", label: "Light", icon: Sun },
                { value: "dark", label: "Dark", icon: Moon },
                { value: "system", label: "System", icon: Monitor },
              ],
            },
          ]}
        />
        <Button onPress={() => setOpen("dialog")}>Open dialog</Button>
        <Button onPress={() => setOpen("question")}>Open question</Button>
        <Button onPress={() => setOpen("typed")}>Open typed question</Button>
        <Popover title="Columns" button={<Button>Open popover</Button>}>
          <p>Which ones are shown.</p>
        </Popover>
        <Button onPress={() => setOpen("sheet")}>Open sheet</Button>
        {open === "sheet" && (
          <Sheet title="About" onClose={close}>
            <p>Created 3 Mar 2027</p>
          </Sheet>
        )}
        {open === "dialog" && <NameDialog onClose={close} />}
        {open === "question" && (
          <ConfirmDialog
            title="Delete Hut rules?"
            text="It is deleted for good: there is no trash here."
            confirmLabel="Delete"
            tone="danger"
            onConfirm={close}
            onCancel={close}
          />
        )}
        {open === "typed" && (
          <ConfirmDialog
            title="Delete 12 objects?"
            text="They are deleted for good."
            confirmLabel="Delete"
            tone="danger"
            typed={{ label: "Type 12 to confirm", value: "12" }}
            onConfirm={close}
            onCancel={close}
          />
        )}
      </Group>
      <Group title="Tabs">
        <Tabs
          label="Views of the object"
          className={css.wide}
          tabs={[
            { id: "form", label: "Form" },
            { id: "json", label: "JSON" },
            { id: "versions", label: "Versions", badge: 12 },
          ]}
          selected={tab}
          onSelect={setTab}
        >
          <p>The panel of {tab}.</p>
        </Tabs>
      </Group>
    </>
  );
}

function NameDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [stone, setStone] = useState("");
  return (
    <Dialog
      title="Save view"
      onClose={onClose}
      isDirty={name !== ""}
      onSubmit={onClose}
      footer={(close) => (
        <>
          <Button onPress={close}>Cancel</Button>
          <Button type="submit" variant="primary">
            Save view
          </Button>
        </>
      )}
    >
      <TextInput label="Name" value={name} onChange={setName} isRequired />
      <Select
        label="Stone"
        value={stone}
        onChange={setStone}
        options={["Basalt", "Granite", "Slate"].map((label) => ({ value: label, label }))}
      />
    </Dialog>
  );
}
