// The form of a webhook with its secret, a test and its deliveries.

import type { JsonObject } from "@contract/json.ts";
import type { Delivery, Webhook } from "@contract/webhooks.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, KeyRound, Send, Trash2 } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { beginEditing } from "#form/editing/begin.ts";
import { EditingNotices, EditingQuestions, EditingState, SaveButton } from "#form/editing/EditingParts.tsx";
import { plainProperty } from "#form/editing/plain-property.ts";
import { useEditing } from "#form/editing/use-editing.ts";
import { goToField } from "#form/focus-field.ts";
import { FormScopeContext, useBase } from "#form/form-context.ts";
import type { KeptEntry } from "#form/kept.ts";
import { SaveBar } from "#form/SaveBar.tsx";
import { useCommand } from "#session/commands.ts";
import { errorText, Problem } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import layout from "#ui/layout.module.css";
import { Menu } from "#ui/Menu.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { commonWords } from "#words/common.ts";
import { formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { webhookWords } from "#words/webhooks.ts";
import { WebhookFields } from "./WebhookFields.tsx";
import { fetchWebhook, refreshWebhooks, type StoredWebhook, titleOf, type WithSecret } from "./webhook-calls.ts";
import {
  bodyOf,
  type EditedName,
  editedNames,
  editedPart,
  headersIn,
  isUnfinished,
  keptWebhooks,
  storedOf,
} from "./webhook-values.ts";

const DeleteWebhook = lazy(() => import("./DeleteWebhook.tsx").then((part) => ({ default: part.DeleteWebhook })));
const DeliveriesPart = lazy(() => import("./DeliveriesPart.tsx").then((part) => ({ default: part.DeliveriesPart })));
const SecretDialog = lazy(() => import("./SecretDialog.tsx").then((part) => ({ default: part.SecretDialog })));

interface Props {
  /** undefined: it is new. */
  stored: StoredWebhook | undefined;
  kept: KeptEntry | undefined;
}

export function WebhookEditor({ stored, kept }: Props) {
  const words = useWords(webhookWords);
  const { run } = useWords(shellWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isSmall = useMediaQuery("(max-width: 639px)");
  const [hook, setHook] = useState(stored?.hook);
  const id = hook?.id;
  const problemOf = (path: string, values: JsonObject): string | undefined => {
    if (path === "url" && String(values.url ?? "").trim() === "") return words.addressRequired;
    if (path === "url" && !/^https?:\/\/[^@]*$/i.test(String(values.url))) return words.addressWrong;
    if (path === "events" && (values.events as string[]).length === 0) return words.eventsRequired;
    if (path === "headers" && headersIn(values).some(isUnfinished)) return words.headersRequired;
    return undefined;
  };
  const [{ store, began }] = useState(() =>
    beginEditing({ values: editedPart(stored?.hook), etag: stored?.etag ?? "" }, kept, problemOf),
  );
  const [secret, setSecret] = useState<{ value: string; text: string }>();
  const [isAsking, setIsAsking] = useState<"delete" | "rotate">();
  const [isRotating, setIsRotating] = useState(false);
  const [rotateError, setRotateError] = useState<unknown>();
  const [isTesting, setIsTesting] = useState(false);
  const [tested, setTested] = useState<Delivery>();
  const isGone = useRef(false);

  const labels: Record<string, string> = {
    name: words.name,
    url: words.address,
    events: words.events,
    collections: words.collections,
    headers: words.ownHeaders,
    active: words.enabled,
  };
  const labelOf = (name: string) => labels[name] ?? name;
  const edited = useEditing({
    ...{
      store,
      began,
      isNew: id === undefined,
      kept,
      labelOf,
      isCovered: isAsking !== undefined || secret !== undefined,
    },
    place: { collection: keptWebhooks, id: id ?? "-new" },
    title: () => titleOf({ name: String(store.values().name ?? ""), url: String(store.values().url ?? "") }),
    // Their values are secrets.
    isSecret: (name) => name === "headers",
    check: () => {
      const found = editedNames.map((name) => [name, problemOf(name, store.values())] as const);
      return { problems: new Map(found.filter((entry): entry is [EditedName, string] => entry[1] !== undefined)) };
    },
    send: async (sent, ifMatch) => {
      if (id !== undefined) {
        const { data, etag } = await ask<Webhook>(routes.patchWebhook, { path: { id }, body: bodyOf(sent), ifMatch });
        setHook(data);
        return { values: editedPart(data), etag };
      }
      const { secret: made, ...saved } = await askData<WithSecret>(routes.createWebhook, {
        body: bodyOf(store.values()),
      });
      setHook(saved);
      setSecret({ value: made, text: words.secretText });
      // What was typed is stored, secrets as well: nothing of it is left to save.
      store.rebase(editedPart(saved), store.values());
      return fetchWebhook(saved.id).then(storedOf);
    },
    read: () => fetchWebhook(id ?? "").then(storedOf),
    placeError: (name, texts) => [name, `${labelOf(name)} ${texts.join(". ")}`],
    onSaved: ({ values }) => {
      void refreshWebhooks(queries);
      if (id !== undefined) return false;
      toast.good(words.created(titleOf({ name: String(values.name), url: String(values.url) })));
      return true;
    },
  });
  const { save, isSaving } = edited;
  const closeSecret = () => {
    setSecret(undefined);
    // The dialog held the page until now: a reload on the way would have lost the secret.
    if (stored === undefined && id !== undefined)
      void navigate({ to: "/admin/webhooks/$id", params: { id }, replace: true });
  };
  const rotate = async () => {
    if (id === undefined) return;
    setIsRotating(true);
    setRotateError(undefined);
    try {
      const { secret: made } = await askData<WithSecret>(routes.rotateWebhook, { path: { id } });
      setIsAsking(undefined);
      setSecret({ value: made, text: words.rotatedText });
    } catch (error) {
      setRotateError(error);
    }
    setIsRotating(false);
  };
  const test = async () => {
    if (id === undefined) return;
    setIsTesting(true);
    try {
      setTested(await askData<Delivery>(routes.testWebhook, { path: { id } }));
      await refreshWebhooks(queries);
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    setIsTesting(false);
  };
  const enable = async () => {
    store.set("active", true);
    await save();
  };

  useCommand(id === undefined ? undefined : { id: "test-webhook", label: words.sendTest, run: () => void test() });

  // As stored: the title does not follow what is typed.
  const shown = { name: String(useBase(store, "name")), url: String(useBase(store, "url")) };
  const buttons = (
    <>
      <EditingState edited={edited} />
      {stored && (
        <>
          <Button icon={Send} isPending={isTesting} onPress={() => void test()}>
            {words.sendTest}
          </Button>
          <Menu
            button={{ label: words.moreActions, icon: Ellipsis }}
            placement="bottom end"
            items={[
              { id: "rotate", label: words.rotate, icon: KeyRound, onAction: () => setIsAsking("rotate") },
              {
                section: "",
                items: [
                  {
                    ...{ id: "delete", label: common.delete, icon: Trash2, tone: "danger" },
                    onAction: () => setIsAsking("delete"),
                  },
                ],
              },
            ]}
          />
        </>
      )}
      <SaveButton edited={edited} />
    </>
  );
  return (
    <FormScopeContext value={edited.scope}>
      <Page
        title={stored ? titleOf(shown) : words.newWebhook}
        breadcrumbs={[{ label: run }, { label: words.title, to: "/admin/webhooks" }]}
        actions={!isSmall && buttons}
      >
        <div className={layout.page}>
          <EditingNotices edited={edited} labelOf={labelOf} onGo={goToField} />
          {hook && <Health hook={hook} onEnable={() => void enable()} isSaving={isSaving} />}
          <div role="status">{tested && <TestResult delivery={tested} />}</div>
          <Slab className={layout.slab}>
            <WebhookFields store={store} />
          </Slab>
          {stored && id !== undefined && (
            <Suspense fallback={null}>
              <DeliveriesPart id={id} />
            </Suspense>
          )}
        </div>
        {isSmall && <SaveBar>{buttons}</SaveBar>}
        <EditingQuestions
          edited={edited}
          unsaved={() => (isGone.current || secret ? 0 : store.summary().dirty.length)}
          propertyOf={(name) => plainProperty(name, labelOf(name), { isText: name === "name" || name === "url" })}
        />
        <Suspense fallback={null}>
          {secret && <SecretDialog secret={secret.value} text={secret.text} onDone={closeSecret} />}
          {isAsking === "rotate" && (
            <ConfirmDialog
              title={words.rotateTitle}
              text={words.rotateText}
              confirmLabel={words.rotate}
              isPending={isRotating}
              error={rotateError !== undefined && <Problem error={rotateError} />}
              onConfirm={() => void rotate()}
              onCancel={() => setIsAsking(undefined)}
            />
          )}
          {isAsking === "delete" && hook && (
            <DeleteWebhook
              hook={hook}
              onCancel={() => setIsAsking(undefined)}
              onDeleted={() => {
                isGone.current = true;
                void navigate({ to: "/admin/webhooks" });
              }}
            />
          )}
        </Suspense>
      </Page>
    </FormScopeContext>
  );
}

/** Why it is off, or that it fails. */
function Health({ hook, onEnable, isSaving }: { hook: Webhook; onEnable: () => void; isSaving: boolean }) {
  const words = useWords(webhookWords);
  const { active, disabledReason, failingSince } = hook;
  if (!active && disabledReason !== null)
    return (
      <Notice
        tone="bad"
        title={words.switchedOffTitle}
        action={
          <Button isPending={isSaving} onPress={onEnable}>
            {words.enableAgain}
          </Button>
        }
      >
        {disabledReason}
      </Notice>
    );
  if (failingSince === null) return null;
  return <Notice tone="warn">{words.failingSince(formatDateTime(failingSince))}</Notice>;
}

function TestResult({ delivery }: { delivery: Delivery }) {
  const words = useWords(webhookWords);
  const { status, responseStatus, durationMs, error } = delivery;
  if (status === "delivered")
    return (
      <Notice tone="good">
        {words.testDelivered(responseStatus ?? 0, words.duration(formatNumber(durationMs ?? 0)))}
      </Notice>
    );
  return (
    <Notice tone="bad">
      {words.testFailed(error ?? "")} {responseStatus === null && words.unreachableHelp}
    </Notice>
  );
}
