// The form of a webhook with its secret, a test and its deliveries.

import type { JsonObject } from "@contract/json.ts";
import type { Delivery, Webhook } from "@contract/webhooks.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, KeyRound, Save, Send, Trash2 } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { ErrorSummary, type Refusal } from "#form/ErrorSummary.tsx";
import { useBase, useSummary } from "#form/form-context.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { SaveBar } from "#form/SaveBar.tsx";
import { SaveState } from "#form/SaveState.tsx";
import { createFormStore, type FormStore } from "#form/store.ts";
import { useCommand } from "#session/commands.ts";
import { errorText, Problem } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import layout from "#ui/layout.module.css";
import { Menu } from "#ui/Menu.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { webhookWords } from "#words/webhooks.ts";
import { WebhookFields } from "./WebhookFields.tsx";
import { refreshWebhooks, titleOf, type WithSecret } from "./webhook-calls.ts";

const DeleteWebhook = lazy(() => import("./DeleteWebhook.tsx").then((part) => ({ default: part.DeleteWebhook })));
const DeliveriesPart = lazy(() => import("./DeliveriesPart.tsx").then((part) => ({ default: part.DeliveriesPart })));
const SecretDialog = lazy(() => import("./SecretDialog.tsx").then((part) => ({ default: part.SecretDialog })));

interface Props {
  /** undefined: it is new. */
  stored: Webhook | undefined;
}

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };
const edited = ["name", "url", "events", "collections", "active"] as const;

function editedPart(hook: Webhook | undefined): JsonObject {
  return Object.fromEntries(edited.map((name) => [name, hook?.[name] ?? blank[name]]));
}

const blank = { name: "", url: "", events: ["*"], collections: [], active: true };

export function WebhookEditor({ stored }: Props) {
  const words = useWords(webhookWords);
  const { run } = useWords(shellWords);
  const ofForms = useWords(formWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isSmall = useMediaQuery("(max-width: 639px)");
  const [hook, setHook] = useState(stored);
  const id = hook?.id;
  const problemOf = (path: string, values: JsonObject): string | undefined => {
    if (path === "url" && String(values.url ?? "").trim() === "") return words.addressRequired;
    if (path === "url" && !/^https?:\/\/[^@]*$/i.test(String(values.url))) return words.addressWrong;
    if (path === "events" && (values.events as string[]).length === 0) return words.eventsRequired;
    return undefined;
  };
  const [store] = useState(() => createFormStore(editedPart(stored), problemOf));
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState(noRefusal);
  const [secret, setSecret] = useState<{ value: string; text: string }>();
  const [isAsking, setIsAsking] = useState<"delete" | "rotate">();
  const [isRotating, setIsRotating] = useState(false);
  const [rotateError, setRotateError] = useState<unknown>();
  const [isTesting, setIsTesting] = useState(false);
  const [tested, setTested] = useState<Delivery>();
  const running = useRef<Promise<boolean>>(undefined);
  const isGone = useRef(false);

  const labels: Record<string, string> = {
    name: words.name,
    url: words.address,
    events: words.events,
    collections: words.collections,
    active: words.enabled,
  };
  const refuse = (text: string, requestId = "") => {
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  };
  const trySave = async (): Promise<boolean> => {
    const found = new Map<string, string>();
    for (const path of edited) {
      const problem = problemOf(path, store.values());
      if (problem !== undefined) found.set(path, problem);
    }
    store.setErrors(found);
    if (found.size > 0) return refuse("");
    const sent = store.changes();
    if (id !== undefined && Object.keys(sent).length === 0) {
      setRefusal(noRefusal);
      toast.good(ofForms.nothingToSave);
      return true;
    }
    setIsSaving(true);
    try {
      if (id === undefined) {
        const { secret: made, ...saved } = await askData<WithSecret>(routes.createWebhook, { body: store.values() });
        store.rebase(editedPart(saved), store.changes());
        setHook(saved);
        setSecret({ value: made, text: words.secretText });
        toast.good(words.created(titleOf(saved)));
      } else {
        const saved = await askData<Webhook>(routes.patchWebhook, { path: { id }, body: sent });
        store.rebase(editedPart(saved), sent);
        setHook(saved);
        toast.good(ofForms.saved);
      }
      setRefusal(noRefusal);
      void refreshWebhooks(queries);
      return true;
    } catch (error) {
      const details = error instanceof ApiError ? Object.entries(error.details) : [];
      store.setErrors(new Map(details.map(([name, texts]) => [name, `${labels[name] ?? name} ${texts.join(". ")}`])));
      const { text, requestId } = errorText(error, common);
      return details.length > 0 ? refuse("") : refuse(text, requestId);
    } finally {
      setIsSaving(false);
    }
  };
  /** One at a time. */
  const save = (): Promise<boolean> => {
    running.current ??= trySave().finally(() => {
      running.current = undefined;
    });
    return running.current;
  };
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

  useShortcut("mod+s", ofForms.save, () => void save(), { when: isAsking === undefined && secret === undefined });
  useCommand({ id: "save", label: ofForms.save, shortcut: "Ctrl+S", run: () => void save() });
  useCommand(id === undefined ? undefined : { id: "test-webhook", label: words.sendTest, run: () => void test() });

  // As stored: the title does not follow what is typed.
  const shown = { name: String(useBase(store, "name")), url: String(useBase(store, "url")) };
  const buttons = (
    <>
      <SaveState store={store} isNew={id === undefined} isSaving={isSaving} refusal={refusal} isUnkept={false} />
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
      <Button variant="primary" icon={Save} isPending={isSaving} onPress={() => void save()}>
        {ofForms.save}
      </Button>
    </>
  );
  return (
    <Page
      title={stored ? titleOf(shown) : words.newWebhook}
      breadcrumbs={[{ label: run }, { label: words.title, to: "/admin/webhooks" }]}
      actions={!isSmall && buttons}
    >
      <div className={layout.page}>
        <Summary store={store} refusal={refusal} labels={labels} />
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
      <LeaveGuard
        unsaved={() => (isGone.current || secret ? 0 : store.summary().dirty.length)}
        text={ofForms.leaveTextUnkept}
        onSave={save}
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
  );
}

function Summary({ store, refusal, labels }: { store: FormStore; refusal: Refusal; labels: Record<string, string> }) {
  const { errors } = useSummary(store);
  const links = [...errors].map(([path, text]) => ({ path, label: labels[path] ?? path, text }));
  if (refusal.attempt === 0 || (links.length === 0 && refusal.text === "")) return null;
  const goTo = (path: string) =>
    document.querySelector<HTMLElement>(`[data-property="${CSS.escape(path)}"] input`)?.focus();
  return <ErrorSummary refusal={refusal} links={links} onGo={goTo} />;
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
