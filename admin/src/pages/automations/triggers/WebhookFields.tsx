// The address of an automation: who may call it, whether they wait, and how it is called.

import { plainText } from "#fields/field-kind.ts";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import css from "#pages/automations/automations.module.css";
import { useStart } from "#session/start.ts";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Select } from "#ui/Select.tsx";
import { Switch } from "#ui/Switch.tsx";
import { automationsWords } from "#words/automations.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

const callers = ["none", "sameOrigin", "apiKey"] as const;

export function WebhookFields({ path, automation }: { path: string; automation: string | undefined }) {
  const words = useWords(automationsWords);
  const { site } = useStart();
  const { store, isReadOnly } = useFormScope();
  const auth = useFieldState(store, `${path}.auth`);
  const sync = useFieldState(store, `${path}.sync`);
  const caller = plainText(auth.value) || "none";
  const address = `${site.url.replace(/\/$/, "")}/automations/${encodeURIComponent(automation ?? "")}`;
  return (
    <div className={css.stack}>
      <div className={css.pair}>
        <div data-property={`${path}.auth`}>
          <Select
            label={words.whoMayCall}
            value={caller}
            onChange={(value) => store.set(`${path}.auth`, value)}
            options={callers.map((value) => ({
              ...{ value, label: words.callers[value], detail: words.callersTexts[value] },
            }))}
            error={auth.error}
            isReadOnly={isReadOnly}
          />
        </div>
        <div data-property={`${path}.sync`} className={css.switch}>
          <Switch
            label={words.waitForResult}
            description={words.waitText}
            isSelected={sync.value === true}
            isDisabled={isReadOnly}
            onChange={(isOn) => store.set(`${path}.sync`, isOn)}
          />
        </div>
      </div>
      {automation === undefined ? (
        <p className={css.quiet}>{words.addressLater}</p>
      ) : (
        <>
          <Copied title={words.address} text={address} label={words.copyAddress} />
          <Copied title={words.tryIt} text={curlOf(address, caller)} label={words.copyCurl} />
        </>
      )}
    </div>
  );
}

function Copied({ title, text, label }: { title: string; text: string; label: string }) {
  const common = useWords(commonWords);
  return (
    <div>
      <h3 className={css.partTitle}>{title}</h3>
      <div className={css.copied}>
        <code>{text}</code>
        <CopyButton text={text} label={label} copiedLabel={common.copied} isIconOnly />
      </div>
    </div>
  );
}

function curlOf(address: string, caller: string): string {
  const key = caller === "apiKey" ? " -H 'X-API-Key: YOUR_KEY'" : "";
  const origin = caller === "sameOrigin" ? ` -H 'Origin: ${URL.parse(address)?.origin ?? ""}'` : "";
  return `curl -X POST${key}${origin} -H 'Content-Type: application/json' -d '{"name": "Ada"}' ${address}`;
}
