import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./bulk.module.css";
import { showFailures, useFailures } from "./failures.ts";

const most = 100;

/** Why single objects were left as they are. */
export function FailuresDialog() {
  const failures = useFailures();
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  if (failures.length === 0) return null;
  const close = () => showFailures([]);
  return (
    <Dialog title={words.failures} onClose={close} footer={<Button onPress={close}>{common.close}</Button>}>
      <ul className={css.failures}>
        {failures.slice(0, most).map(({ id, message, details = {} }) => (
          <li key={id}>
            <code>{id}</code>
            <span>{[message, ...Object.values(details).flat()].join(" ")}</span>
          </li>
        ))}
      </ul>
      {failures.length > most && <p>{words.failuresMore(failures.length - most)}</p>}
    </Dialog>
  );
}
