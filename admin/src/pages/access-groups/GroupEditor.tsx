// The form of a group: what it grants, who is in it. Before a group with members is saved, the page says what they lose and gain.

import { type AccessGroup, defaultGroup, type Permissions } from "@contract/access-groups.ts";
import type { JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CopyPlus, Ellipsis, Save, Trash2, Undo2 } from "lucide-react";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { ErrorSummary } from "#form/ErrorSummary.tsx";
import { useFieldState, useSummary } from "#form/form-context.ts";
import { forget, type KeptEntry } from "#form/kept.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { SaveBar } from "#form/SaveBar.tsx";
import { SaveState } from "#form/SaveState.tsx";
import { createFormStore, type FormStore } from "#form/store.ts";
import { useKept } from "#form/use-kept.ts";
import { useCommand } from "#session/commands.ts";
import { useStart } from "#session/start.ts";
import { linkProps } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Menu, type MenuEntry } from "#ui/Menu.tsx";
import { Notice } from "#ui/Notice.tsx";
import { newId } from "#ui/newId.ts";
import { Slab } from "#ui/Slab.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { accessGroupsWords } from "#words/access-groups.ts";
import { formWords } from "#words/form.ts";
import { formatDateTime, formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./access-groups.module.css";
import { DeleteGroup } from "./DeleteGroup.tsx";
import { keptGroups, valuesOf } from "./group-values.ts";
import { membersQuery } from "./groups.ts";
import { MembersPart } from "./MembersPart.tsx";
import { PermissionMatrix } from "./PermissionMatrix.tsx";
import { ReviewDialog } from "./ReviewDialog.tsx";
import { useGroupCrumbs } from "./use-group-crumbs.ts";
import { useGroupSave } from "./use-group-save.ts";

interface Props {
  /** undefined: it is new. */
  id: string | undefined;
  begun: AccessGroup;
  kept: KeptEntry | undefined;
  onMade: (id: string) => void;
}

export function GroupEditor({ id, begun, kept: keptBefore, onMade }: Props) {
  const words = useWords(accessGroupsWords);
  const ofForms = useWords(formWords);
  const { user } = useStart();
  const navigate = useNavigate();
  const isNew = id === undefined;
  const [store] = useState(() => begin(begun, keptBefore));
  const [formName] = useState(newId);
  const [kept, setKept] = useState(keptBefore);
  const [isDeleting, setIsDeleting] = useState(false);
  const values = useSyncExternalStore(store.subscribeValues, store.values);
  const members = useQuery({ ...membersQuery(id ?? ""), enabled: !isNew });
  const count = members.data?.total ?? 0;

  const saving = useGroupSave({
    store,
    id,
    members: count,
    onMade: (made) => {
      onMade(made);
      void navigate({
        ...linkProps({ to: "/admin/utils/access-groups/$id", params: { id: made } }),
        state: { keepFocus: true },
        replace: true,
        ignoreBlocker: true,
      });
    },
  });
  const { save, isSaving, refusal } = saving;

  const place = useMemo(() => ({ user: user.id, collection: keptGroups, id: id ?? "-new" }), [user.id, id]);
  const { isUnkept, keepNow } = useKept({
    store,
    form: formName,
    place,
    etag: () => "",
    title: () => id ?? words.newGroup,
    base: () => store.base(),
    keptPart: (_name, value) => value,
  });
  // What another form kept is this form's now.
  useEffect(() => {
    if (!kept) return;
    keepNow();
    forget(localStorage, kept.place, kept.form);
  }, [kept, keepNow]);
  const discard = () => {
    store.discard();
    keepNow();
    setKept(undefined);
    saving.clearRefusal();
  };

  useShortcut("mod+s", ofForms.save, () => void save());
  useCommand({ id: "save", label: ofForms.save, shortcut: "Ctrl+S", run: () => void save() });

  const isSmall = useMediaQuery("(max-width: 639px)");
  const actions = (
    <>
      <SaveState store={store} isNew={isNew} isSaving={isSaving} refusal={refusal} isUnkept={isUnkept} />
      <MoreActions id={id} store={store} onDiscard={discard} onDelete={() => setIsDeleting(true)} />
      <Button variant="primary" icon={Save} isPending={isSaving} onPress={() => void save()}>
        {ofForms.save}
      </Button>
    </>
  );
  return (
    <>
      <Page title={id ?? words.newGroup} breadcrumbs={useGroupCrumbs()} actions={!isSmall && actions}>
        <div className={css.page}>
          {kept && (
            <div role="status">
              <Notice tone="info" action={<Button onPress={discard}>{ofForms.discardChanges}</Button>}>
                {ofForms.broughtBack(formatDateTime(kept.at))}
              </Notice>
            </div>
          )}
          <Summary store={store} refusal={refusal} labels={{ id: words.id, description: words.description }} />
          <Slab className={css.slab}>
            {isNew && <TextField store={store} name="id" label={words.id} help={words.idHelp} isMono isRequired />}
            <TextField store={store} name="description" label={words.description} help={words.descriptionHelp} />
          </Slab>
          <PermissionMatrix
            granted={values as unknown as Permissions}
            onChange={(parts) => {
              for (const [name, part] of Object.entries(parts)) store.set(name, part as never);
            }}
          />
          {id !== undefined && <MembersPart id={id} />}
        </div>
        {isSmall && <SaveBar>{actions}</SaveBar>}
      </Page>
      <LeaveGuard
        unsaved={() => store.summary().dirty.length}
        text={ofForms.leaveText}
        onSave={save}
        onLeave={keepNow}
      />
      {saving.review && (
        <ReviewDialog
          difference={saving.review.difference}
          members={count}
          isOfDefault={id === defaultGroup}
          onApply={() => saving.review?.answer(true)}
          onCancel={() => saving.review?.answer(false)}
        />
      )}
      {saving.question}
      {saving.conflict && (
        <ConfirmDialog
          title={words.changedTitle}
          text={words.changedText(formatList(saving.conflict.parts))}
          confirmLabel={words.saveMine}
          onConfirm={() => saving.conflict?.answer(true)}
          onCancel={() => saving.conflict?.answer(false)}
        />
      )}
      {isDeleting && id !== undefined && (
        <DeleteGroup
          id={id}
          members={count}
          onCancel={() => setIsDeleting(false)}
          onDeleted={() => {
            discard();
            void navigate({ ...linkProps({ to: "/admin/utils/access-groups" }), ignoreBlocker: true });
          }}
        />
      )}
    </>
  );
}

/** Changes that were kept lie over what is stored. */
function begin(group: AccessGroup, kept: KeptEntry | undefined): FormStore {
  const store = createFormStore(valuesOf(group));
  if (kept) store.lay(kept.changes as JsonObject);
  return store;
}

interface TextFieldProps {
  store: FormStore;
  name: string;
  label: string;
  help: string;
  isMono?: boolean;
  isRequired?: boolean;
}

function TextField({ store, name, label, help, isMono, isRequired }: TextFieldProps) {
  const { value, error } = useFieldState(store, name);
  return (
    <TextInput
      id={`group-${name}`}
      label={label}
      description={help}
      value={String(value ?? "")}
      onChange={(text) => {
        store.set(name, text);
        if (error !== undefined)
          store.setErrors(new Map([...store.summary().errors].filter(([path]) => path !== name)));
      }}
      error={error}
      isMono={isMono ?? false}
      isRequired={isRequired ?? false}
      autoComplete="off"
      spellCheck={!isMono}
    />
  );
}

interface SummaryProps {
  store: FormStore;
  refusal: Parameters<typeof ErrorSummary>[0]["refusal"];
  labels: Record<string, string>;
}

function Summary({ store, refusal, labels }: SummaryProps) {
  const { errors } = useSummary(store);
  if (refusal.attempt === 0 || (errors.size === 0 && refusal.text === "")) return null;
  const links = [...errors].map(([path, text]) => ({ path, label: labels[path] ?? path, text }));
  return (
    <ErrorSummary refusal={refusal} links={links} onGo={(path) => document.getElementById(`group-${path}`)?.focus()} />
  );
}

interface MoreProps {
  id: string | undefined;
  store: FormStore;
  onDiscard: () => void;
  onDelete: () => void;
}

function MoreActions({ id, store, onDiscard, onDelete }: MoreProps) {
  const words = useWords(accessGroupsWords);
  const ofForms = useWords(formWords);
  const navigate = useNavigate();
  const { dirty } = useSummary(store);
  if (id === undefined) return null;
  const duplicate = () => void navigate(linkProps({ to: "/admin/utils/access-groups/-new", search: { from: id } }));
  const items: MenuEntry[] = [
    { id: "duplicate", label: words.duplicate, icon: CopyPlus, onAction: duplicate },
    {
      ...{ id: "discard", label: ofForms.discardChanges, icon: Undo2 },
      ...{ isDisabled: dirty.length === 0, onAction: onDiscard },
    },
    ...(id === defaultGroup
      ? []
      : [
          {
            section: "",
            items: [{ id: "delete", label: words.delete, icon: Trash2, tone: "danger" as const, onAction: onDelete }],
          },
        ]),
  ];
  return <Menu button={{ label: words.moreActions, icon: Ellipsis }} items={items} placement="bottom end" />;
}
