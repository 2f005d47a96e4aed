// What saving a schema would do, before it is done: by collection, then what lies beyond them.

import type { PropertyMention, SchemaPlan } from "@contract/schemas.ts";
import { useStart } from "#session/start.ts";
import { type Target, TextLink } from "#shell/links.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import css from "./ReviewDialog.module.css";
import { type ReviewLine, reviewOf } from "./review.ts";

interface Props {
  title: string;
  plan: SchemaPlan;
  onAnswer: (isApplied: boolean) => void;
}

export function ReviewDialog({ title, plan, onAnswer }: Props) {
  const words = useWords(schemasWords);
  const common = useWords(commonWords);
  const { collections } = useStart();
  const { index, children, mentions, counted, removed } = plan;
  const total = plan.collections.reduce((sum, { objects }) => sum + objects, 0);
  const hasIndexWork = index.added.length + index.removed.length > 0 && index.objects > 0;
  return (
    <Dialog
      title={words.reviewTitle}
      size="large"
      onClose={() => onAnswer(false)}
      onSubmit={() => onAnswer(true)}
      footer={(close) => (
        <>
          <Button onPress={close} autoFocus>
            {common.cancel}
          </Button>
          <Button variant="primary" type="submit">
            {words.apply}
          </Button>
        </>
      )}
    >
      <div className={css.review}>
        <p>{total > 0 ? words.reviewText(title, total) : words.reviewTextCalm(title)}</p>
        {reviewOf(plan)
          .filter(({ lines }) => lines.length > 0)
          .map(({ id, objects, lines }) => (
            <section key={id} className={css.part}>
              <h3 className={css.title}>
                <TextLink to="/admin/collections/$collection" params={{ collection: id }} isBeside>
                  {words.collectionLine(collections.find((one) => one.id === id)?.name ?? id, objects)}
                </TextLink>
              </h3>
              <ul className={css.lines}>
                {lines.map((line) => (
                  <Line key={`${line.kind} ${"property" in line ? line.property : line.from}`} line={line} />
                ))}
              </ul>
            </section>
          ))}
        {removed.some(({ filled }) => filled > 0) && <Notice tone="info">{words.leavesKept}</Notice>}
        {hasIndexWork && (
          <section className={css.part}>
            <h3 className={css.title}>{words.indexTitle}</h3>
            <ul className={css.lines}>
              {index.added.length > 0 && <li>{words.indexAdded(words.names(index.added))}</li>}
              {index.removed.length > 0 && <li>{words.indexRemoved(words.names(index.removed))}</li>}
              <li>{words.indexWork(index.objects)}</li>
            </ul>
          </section>
        )}
        {children.length > 0 && (
          <section className={css.part}>
            <h3 className={css.title}>{words.childrenTitle}</h3>
            <p>{words.children(words.names(children))}</p>
          </section>
        )}
        {mentions.length > 0 && (
          <section className={css.part}>
            <h3 className={css.title}>{words.mentionsTitle}</h3>
            <ul className={css.lines}>
              {mentions.map((mention) => (
                <li
                  key={`${mention.kind} ${mention.collection} ${mention.id} ${mention.property}`}
                  className={css.line}
                >
                  <TextLink {...placeOf(mention)} isBeside>
                    {words.mention(mention)}
                  </TextLink>
                  <span className={css.detail}>{words.mentionOf(mention.property)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {plan.hasOthers && <Notice tone="info">{words.otherCollections}</Notice>}
        {!counted.isComplete && <Notice tone="warn">{words.incomplete(counted.objects)}</Notice>}
      </div>
    </Dialog>
  );
}

/** The page on which it can be changed. */
function placeOf({ kind, id, collection = id }: PropertyMention): Target {
  switch (kind) {
    case "collection":
      return { to: "/admin/collections/$collection/-settings", params: { collection } };
    case "saved-query":
      return { to: "/admin/collections/$collection/-settings", params: { collection }, search: { tab: "mcp" } };
    case "saved-view":
      return { to: "/admin/collections/$collection", params: { collection } };
    case "template":
      return { to: "/admin/templates/$", params: { _splat: id } };
    case "data-view":
      return { to: "/admin/dataviews/$id", params: { id } };
    case "automation":
      return { to: "/admin/automations/$id", params: { id } };
  }
}

function Line({ line }: { line: ReviewLine }) {
  const words = useWords(schemasWords);
  const { text, detail, count } = (() => {
    switch (line.kind) {
      case "leaves":
        return { text: words.leaves(line.property), detail: words.filled(line.filled), count: line.filled };
      case "renamed":
        return { text: words.renamed(line.from, line.to), detail: words.filled(line.filled), count: 0 };
      case "retyped": {
        const text = words.retyped(line.property, line.from, line.to);
        return { text, detail: words.unfit(line.unfit), count: line.unfit };
      }
      case "newlyRequired":
        return { text: words.newlyRequired(line.property), detail: words.lacking(line.lacking), count: line.lacking };
    }
  })();
  return (
    <li className={css.line}>
      <span>{text}</span>
      <Badge tone={count > 0 ? "warn" : "neutral"}>{detail}</Badge>
    </li>
  );
}
