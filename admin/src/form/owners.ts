// Which forms are open, in this tab and in others: what an open form keeps is its own. A lock tells, and ends with its tab, also
// when that crashes. Where there are no locks (plain http) the tabs ask each other.

const lockPrefix = "cairn:form:";
/** Tabs answer at once; one that is frozen does not. */
const answerTime = 150;

/** From here on the form is open; the answer closes it. */
export function openForm(form: string): () => void {
  if ("locks" in navigator) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    void navigator.locks.request(lockPrefix + form, () => held);
    return () => release();
  }
  const channel = new BroadcastChannel(lockPrefix);
  channel.onmessage = ({ data }) => data === "who?" && channel.postMessage(form);
  return () => channel.close();
}

/** The names of all forms that are open now. */
export async function openForms(): Promise<ReadonlySet<string>> {
  if ("locks" in navigator) {
    const { held = [] } = await navigator.locks.query();
    return new Set(held.flatMap(({ name }) => (name?.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [])));
  }
  const found = new Set<string>();
  const channel = new BroadcastChannel(lockPrefix);
  channel.onmessage = ({ data }) => data !== "who?" && found.add(String(data));
  channel.postMessage("who?");
  await new Promise((resolve) => setTimeout(resolve, answerTime));
  channel.close();
  return found;
}
