// `/-/forms.js`: sends forms without leaving the page. Forms work without it; it is not needed for anything but `proof`,
// which falls back to a second page. Kept small by hand: it is sent as it is.

export const formsScript = `addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-cairn-form]") || form.dataset.plain) return;
  event.preventDefault();
  const button = event.submitter;
  if (button) button.disabled = true;
  try {
    const body = new FormData(form);
    if (form.dataset.proof) body.set("_proof", await prove(form.dataset.proof, +form.dataset.bits));
    let answer = await send(form, body);
    if (answer.status === 202) {
      const { data } = await answer.json();
      body.set("_challenge", data.challenge);
      await new Promise((done) => setTimeout(done, data.wait * 1000 + 200));
      answer = await send(form, body);
    }
    show(form, answer.status, await answer.json());
  } catch {
    form.dataset.plain = "1";
    form.submit();
  } finally {
    if (button) button.disabled = false;
  }
});
const send = (form, body) => fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
async function prove(salt, bits) {
  const start = salt + "." + Math.random().toString(36).slice(2) + ".";
  const tryOne = async (text) => {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return new DataView(hash).getUint32(0) >>> (32 - bits) === 0 && text;
  };
  for (let n = 0; ; n += 99) {
    const found = (await Promise.all(Array.from({ length: 99 }, (_, at) => tryOne(start + (n + at))))).find(Boolean);
    if (found) return found;
  }
}
const make = (parent, tag, text, set) =>
  parent.appendChild(Object.assign(document.createElement(tag), { textContent: text }, set));
function describe(field) {
  const ids = ["-help", "-error"].map((end) => field.id + end).filter((id) => document.getElementById(id));
  ids.length ? field.setAttribute("aria-describedby", ids.join(" ")) : field.removeAttribute("aria-describedby");
}
function show(form, status, { data, error }) {
  if (status === 201 && data.redirect) return location.assign(data.redirect);
  for (const old of form.querySelectorAll(".form-error, .form-summary")) old.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    describe(field);
  }
  const box = document.createElement("div");
  box.tabIndex = -1;
  box.className = data ? "form-sent" : "form-summary";
  box.setAttribute("role", data ? "status" : "alert");
  if (data) box.textContent = data.message;
  else {
    make(box, "p", error.message);
    const list = make(box, "ul", "");
    for (const [name, texts] of Object.entries(error.details ?? {})) {
      const found = form.elements.namedItem(name);
      const field = found && !found.tagName ? found[0].closest("fieldset") : found;
      const frame = field?.closest(".form-field");
      const label = frame?.querySelector("label, legend").firstChild.textContent.trim() ?? name;
      const text = label + ": " + texts.join(", ");
      const line = make(list, "li", field?.id ? "" : text);
      if (!field) continue;
      field.setAttribute("aria-invalid", "true");
      if (field.id) make(line, "a", text, { href: "#" + field.id });
      if (!frame) continue;
      make(frame, "p", texts.join(", "), { className: "form-error", id: field.id + "-error" });
      describe(field);
    }
  }
  data ? form.replaceWith(box) : form.prepend(box);
  box.focus();
}
`;
