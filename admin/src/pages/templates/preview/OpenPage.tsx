// Opens a page of the site with the text as it is typed: a preview of the whole site that lasts an hour.

import type { MadePreview } from "@contract/previews.ts";
import type { SiteRouteInfo } from "@contract/site.ts";
import { useMutation } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useRef } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { previewWords } from "#words/preview.ts";
import type { PreviewData } from "./use-preview.ts";

/** Mails and prompts are no pages. */
export function isOfSite(id: string): boolean {
  return /^(?:pages|layouts|partials|forms)\//.test(id);
}

interface Props {
  id: string;
  text: string;
  object: PreviewData | undefined;
}

export function OpenPage({ id, text, object }: Props) {
  const words = useWords(previewWords);
  const common = useWords(commonWords);
  const made = useRef<MadePreview>(undefined);
  const opening = useMutation({
    mutationFn: async (target: Window) => {
      made.current ??= await askData<MadePreview>(routes.createPreview, { body: { path: "/*" } });
      const { id: preview, url } = made.current;
      await ask(routes.previewValues, { path: { id: preview }, body: { templates: { [id]: text } } });
      const path = await findPath(id, object);
      target.location.replace(`${path}${new URL(url).search}`);
    },
    onError: (_error, target) => {
      made.current = undefined;
      target.close();
    },
  });
  const open = () => {
    // At once: a browser opens no window for an answer that comes later.
    const target = window.open("about:blank", "_blank");
    if (!target) return toast.bad(words.notOpened);
    target.opener = null;
    return opening.mutateAsync(target).catch((error) => toast.bad(errorText(error, common).text));
  };
  return <IconButton label={words.openPage} icon={ExternalLink} onPress={() => void open()} />;
}

/** An address that shows the template; the home page where none is known. */
async function findPath(id: string, object: PreviewData | undefined): Promise<string> {
  const all = await askData<SiteRouteInfo[]>(routes.siteRoutes);
  const idOf = ({ template }: SiteRouteInfo) => (template.startsWith("pages/") ? template : `pages/${template}`);
  const using = all.filter((route) => route.route !== "" && idOf(route) === id);
  const plain = using.find(({ route }) => !route.includes("{"));
  if (plain) return plain.route;
  const bound = using.find(({ collection }) => collection !== "" && collection === object?.collection);
  const filled = bound?.route.replace(/\{id\}/, encodeURIComponent(object?.object ?? "")) ?? "/";
  return filled.includes("{") ? "/" : filled;
}
