import { Ellipsis, Pencil, Plus, Trash2 } from "lucide-react";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Tooltip } from "#ui/Tooltip.tsx";
import { toast } from "#ui/toast.ts";
import { Group } from "./Group.tsx";

export function Actions() {
  return (
    <>
      <Group title="Buttons" isRow>
        <Button variant="primary" icon={Plus}>
          New post
        </Button>
        <Button>Import</Button>
        <Button variant="quiet" icon={Pencil}>
          Edit
        </Button>
        <Button variant="danger" icon={Trash2}>
          Delete
        </Button>
        <Button variant="primary" isPending>
          Saving
        </Button>
        <Button isDisabled>Disabled</Button>
        <Button variant="primary" isDisabled>
          Disabled too
        </Button>
        <IconButton label="More actions" icon={Ellipsis} />
        <IconButton label="Add" icon={Plus} variant="plain" />
        <IconButton label="Remove" icon={Trash2} isSmall />
        <CopyButton text="cairn" label="Copy" copiedLabel="Copied" />
        <CopyButton text="cairn" label="Copy id" copiedLabel="Copied" isIconOnly />
        <Tooltip text="Three stones, one on the other">
          <Button variant="quiet">With a tooltip</Button>
        </Tooltip>
        <Kbd keys="Ctrl+K" />
        <Kbd keys="g h" />
      </Group>
      <Group title="Toasts" isRow>
        <Button onPress={() => toast.good("Saved")}>Good toast</Button>
        <Button
          onPress={() => toast.good("Deleted", { action: { label: "Undo", onPress: () => toast.good("Undone") } })}
        >
          Toast with action
        </Button>
        <Button onPress={() => toast.bad("The server refused the change.", { requestId: "9f2c1b" })}>Bad toast</Button>
      </Group>
    </>
  );
}
