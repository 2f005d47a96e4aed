// All templates, and one of them: a tree, an editor, a preview. One page for both, so that dialogs work from either.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { FilePlus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { findKept } from "#form/use-kept.ts";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton } from "#shell/links.tsx";
import { type Crumb, Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { toast } from "#ui/toast.ts";
import { useWords } from "#words/language.ts";
import { templateWords } from "#words/templates.ts";
import { DeleteDialog, NewTemplateDialog, RenameDialog } from "./dialogs.tsx";
import { TemplateFrame } from "./TemplateFrame.tsx";
import { fetchTemplate, keptUnder, type TemplateList, templatesQuery } from "./template-calls.ts";

const loadEditor = () => import("./TemplateEditor.tsx");
const TemplateEditor = lazy(async () => ({ default: (await loadEditor()).TemplateEditor }));

type Asked = { what: "new"; first?: string } | { what: "rename" | "delete"; id: string };

export function TemplatesPage() {
  const words = useWords(templateWords);
  const can = useCan();
  const { _splat: id = "" } = useParams({ strict: false });
  if (!can("read", "builder")) return <Page title={id || words.title} needs={false} />;
  return <Allowed id={id} />;
}

function Allowed({ id }: { id: string }) {
  const words = useWords(templateWords);
  const list = useQuery(templatesQuery);
  const crumbs: Crumb[] = [
    { label: words.build },
    ...(id === "" ? [] : [{ label: words.title, to: "/admin/templates" as const }]),
  ];
  if (list.data) return <Listed id={id} list={list.data} crumbs={crumbs} />;
  return (
    <Page title={id || words.title} breadcrumbs={crumbs} isBusy={!list.error} isWide>
      {list.error && <Failed error={list.error} onRetry={() => void list.refetch()} />}
    </Page>
  );
}

interface ListedProps {
  id: string;
  list: TemplateList;
  crumbs: Crumb[];
}

function Listed({ id, list, crumbs }: ListedProps) {
  const words = useWords(templateWords);
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const discard = useRef(() => {});
  const { templates, isManaged } = list;
  const begin = () => setAsked({ what: "new" });
  useCommand(isManaged ? undefined : { id: "new-template", label: words.newTemplate, run: begin });
  useShortcut("n", words.newTemplate, begin, { when: !isManaged && asked === undefined });
  const open = (next: string, ignoreBlocker = false) =>
    void navigate({ to: "/admin/templates/$", params: { _splat: next }, ignoreBlocker });
  const close = () => setAsked(undefined);
  const shared = {
    ...{ id, templates, isManaged, crumbs },
    onNew: (first: string) => setAsked({ what: "new", first }),
    onRename: (one: string) => setAsked({ what: "rename", id: one }),
    onDelete: (one: string) => setAsked({ what: "delete", id: one }),
    onReady: (empty: () => void) => {
      discard.current = empty;
    },
  };
  return (
    <>
      {id === "" ? <Overview {...shared} /> : <OneTemplate key={id} {...shared} />}
      {asked?.what === "new" && (
        <NewTemplateDialog
          {...(asked.first !== undefined && { first: asked.first })}
          onCancel={close}
          onMade={(made) => {
            close();
            open(made);
          }}
        />
      )}
      {asked?.what === "rename" && (
        <RenameDialog
          id={asked.id}
          all={templates}
          onCancel={close}
          onDone={(next) => {
            close();
            toast.good(words.renamed(next));
            if (asked.id !== id) return;
            discard.current();
            open(next, true);
          }}
        />
      )}
      {asked?.what === "delete" && (
        <DeleteDialog
          id={asked.id}
          all={templates}
          onCancel={close}
          onDone={(gone) => {
            close();
            toast.good(words.deleted);
            if (gone !== id) return;
            discard.current();
            void navigate({ to: "/admin/templates", ignoreBlocker: true });
          }}
        />
      )}
    </>
  );
}

interface SharedProps {
  id: string;
  templates: TemplateList["templates"];
  isManaged: boolean;
  crumbs: Crumb[];
  onNew: (first: string) => void;
  onRename: (id: string) => void;
  onDelete: (id: string) => void;
  onReady: (discard: () => void) => void;
}

function Overview({ templates, isManaged, crumbs, onNew, onRename, onDelete }: SharedProps) {
  const words = useWords(templateWords);
  const button: ReactNode = !isManaged && (
    <Button variant="primary" icon={FilePlus} onPress={() => onNew("")}>
      {words.newTemplate}
    </Button>
  );
  return (
    <Page title={words.title} breadcrumbs={crumbs} isWide actions={button} status={words.count(templates.length)}>
      {templates.length === 0 ? (
        <EmptyState title={words.emptyTitle} text={isManaged ? words.managedText : words.emptyText} />
      ) : (
        <TemplateFrame
          templates={templates}
          chosen={undefined}
          isManaged={isManaged}
          onRename={isManaged ? undefined : onRename}
          onDelete={isManaged ? undefined : onDelete}
        >
          <EmptyState title={words.chooseTitle} text={words.chooseText} />
        </TemplateFrame>
      )}
    </Page>
  );
}

/** What is typed must not change because somebody looks at another window. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false } as const;

function OneTemplate({ id, templates, isManaged, crumbs, onNew, onRename, onDelete, onReady }: SharedProps) {
  const words = useWords(templateWords);
  const { user } = useStart();
  const opened = useQuery({
    queryKey: ["template", id],
    queryFn: async ({ signal }) => {
      const [stored, kept] = await Promise.all([
        fetchTemplate(id, signal),
        findKept({ user: user.id, collection: keptUnder, id }),
        loadEditor(),
      ]);
      return { stored, kept };
    },
    ...once,
  });
  if (opened.data)
    return (
      <Suspense fallback={<Page title={id} breadcrumbs={crumbs} isBusy isWide />}>
        <TemplateEditor
          id={id}
          templates={templates}
          opened={opened.data}
          isReadOnly={isManaged}
          breadcrumbs={crumbs}
          onRename={onRename}
          onDelete={onDelete}
          onReady={onReady}
        />
      </Suspense>
    );
  const { error } = opened;
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <Page title={isMissing ? words.missingTitle : id} breadcrumbs={crumbs} isBusy={!error} isWide>
      <TemplateFrame templates={templates} chosen={id} isManaged={isManaged}>
        {isMissing ? (
          <EmptyState
            title={id}
            text={words.missingText(id)}
            action={
              isManaged || error.status === 400 ? (
                <LinkButton to="/admin/templates">{words.back}</LinkButton>
              ) : (
                <Button icon={FilePlus} onPress={() => onNew(id)}>
                  {words.create404}
                </Button>
              )
            }
          />
        ) : (
          error && <Failed error={error} onRetry={() => void opened.refetch()} />
        )}
      </TemplateFrame>
    </Page>
  );
}
