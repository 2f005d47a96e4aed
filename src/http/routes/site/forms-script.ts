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
  for (let n = 0; ; n++) {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(start + n));
    if (new DataView(hash).getUint32(0) >>> (32 - bits) === 0) return start + n;
  }
}
function show(form, status, { data, error }) {
  for (const old of form.querySelectorAll(".form-error, .form-summary")) old.remove();
  if (status === 201 && data.redirect) return location.assign(data.redirect);
  const box = document.createElement("div");
  box.tabIndex = -1;
  box.className = status === 201 ? "form-sent" : "form-summary";
  box.setAttribute("role", status === 201 ? "status" : "alert");
  box.textContent = data ? data.message : error.message;
  for (const [name, texts] of Object.entries(error?.details ?? {})) {
    const field = form.elements.namedItem(name);
    const line = box.appendChild(document.createElement("p"));
    line.textContent = (field?.labels?.[0]?.textContent ?? name) + ": " + texts.join(", ");
    field?.setAttribute?.("aria-invalid", "true");
  }
  status === 201 ? form.replaceWith(box) : form.prepend(box);
  box.focus();
}
`;
