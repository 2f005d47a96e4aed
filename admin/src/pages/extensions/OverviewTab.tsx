// What an extension is, how it fares, and its capabilities, which are switched at once.

import type { Capability, ExtensionDetails } from "@contract/extensions.ts";
import { isJsonObject } from "@contract/json.ts";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useSwitched } from "#shell/use-switched.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { extensionsWords } from "#words/extensions.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { Capabilities } from "./Capabilities.tsx";
import { isUsable, placeOf, refreshExtensions } from "./extension-calls.ts";
import css from "./extensions.module.css";
import { CodeFacts } from "./ReviewDialog.tsx";

/** Above so many milliseconds it is marked as slow. */
const slowMs = 200;
/** Calls that say something: the first ones load the code. */
const fewestCalls = 50;

const tones = {
  failed: "bad",
  quarantined: "bad",
  invalid: "bad",
  incompatible: "warn",
  "needs-review": "warn",
} as const;

interface Props {
  extension: ExtensionDetails;
  onReview: () => void;
}

export function OverviewTab({ extension, onReview }: Props) {
  const words = useWords(extensionsWords);
  const { id, state, error, description, capabilities, deprecations, errors } = extension;
  const queries = useQueryClient();
  const switches = useSwitched({
    save: (name, isOn) => ask(routes.switchExtension, { path: placeOf(id), body: { switches: { [name]: isOn } } }),
    said: () => words.switched,
    refresh: () => refreshExtensions(queries),
  });
  const heading = useId();
  return (
    <div className={css.stack}>
      {state !== "enabled" && state !== "disabled" && (
        <Notice
          tone={tones[state]}
          title={words.states[state]}
          action={state === "needs-review" && <Button onPress={onReview}>{words.review}</Button>}
        >
          {words.stateTexts[state]} {state !== "needs-review" && error}
        </Notice>
      )}
      {deprecations.length > 0 && (
        <Notice tone="warn" title={words.deprecated}>
          {deprecations.join(" ")}
        </Notice>
      )}
      <p className={layout.intro}>{description === "" ? words.noDescription : description}</p>
      <Slab as="section" className={css.stack} aria-labelledby={heading}>
        <h2 id={heading} className={css.heading}>
          {words.about}
        </h2>
        <Facts extension={extension} />
      </Slab>
      <Slab className={css.stack}>
        <Capabilities
          level={2}
          capabilities={capabilities}
          isDisabled={!isUsable(extension)}
          isOn={({ name, on }: Capability) => switches.isOn(name, on)}
          onSwitch={({ name }, isOn) => void switches.set(name, isOn)}
        />
      </Slab>
      <Uses uses={extension.uses} />
      {errors.length > 0 && (
        <Slab as="section" className={css.part}>
          <h2 className={css.heading}>{words.lastErrors}</h2>
          <ul className={css.lines}>
            {errors.slice(-5).map((line) => (
              <li key={line.id}>
                <time dateTime={line.at}>{formatDateTime(line.at)}</time>
                <Badge tone="bad">{words.levels.error}</Badge>
                <span className={css.text}>{line.text}</span>
              </li>
            ))}
          </ul>
        </Slab>
      )}
    </div>
  );
}

function Facts({ extension }: { extension: ExtensionDetails }) {
  const words = useWords(extensionsWords);
  const { id, version, source, runtime, api, author, stats, manifest, hidden, code } = extension;
  const facts: [name: string, value: ReactNode][] = [
    [words.id, <code key="id">{id}</code>],
    [words.version, version],
    [words.source, words.sources[source]],
    [words.runtime, words.runtimeNames[runtime]],
    [words.api, String(api)],
    [words.author, author],
    [words.license, typeof manifest?.license === "string" ? manifest.license : ""],
    [words.links, linksOf(manifest?.links)],
    [words.hiddenOnes, hidden.join(", ")],
    [words.calls, stats.calls > 0 ? words.callsOf(stats.calls, stats.errors, stats.crashes) : ""],
    [
      words.p95,
      stats.calls > 0 && (
        <span className={layout.row}>
          {words.milliseconds(stats.p95)}
          {stats.calls >= fewestCalls && stats.p95 > slowMs && <Badge tone="warn">{words.slow}</Badge>}
        </span>
      ),
    ],
  ];
  return (
    <div>
      <dl className={css.facts}>
        {facts
          .filter(([, value]) => value !== "" && value !== false && value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <CodeFacts code={code} />
    </div>
  );
}

/** Only addresses of the web: a manifest may say anything. */
function linksOf(links: unknown): ReactNode {
  if (!Array.isArray(links)) return undefined;
  const shown = links.filter(isJsonObject).filter(({ url }) => typeof url === "string" && /^https?:\/\//.test(url));
  if (shown.length === 0) return undefined;
  return (
    <span className={css.links}>
      {shown.map(({ label, url }) => (
        <a key={String(url)} href={String(url)} target="_blank" rel="noopener noreferrer">
          {String(label ?? url)}
        </a>
      ))}
    </span>
  );
}

function Uses({ uses }: Pick<ExtensionDetails, "uses">) {
  const words = useWords(extensionsWords);
  const kinds = (["properties", "schemas", "collections", "pages", "forms"] as const).filter(
    (kind) => uses[kind].length > 0,
  );
  if (kinds.length === 0) return null;
  return (
    <Slab as="section" className={css.part}>
      <h2 className={css.heading}>{words.usedBy}</h2>
      <dl className={css.facts}>
        {kinds.map((kind) => (
          <div key={kind}>
            <dt>{words.usesOf[kind]}</dt>
            <dd>{uses[kind].join(", ")}</dd>
          </div>
        ))}
      </dl>
    </Slab>
  );
}
