// For browsers, sent as it is: makes the passkey button of the login page appear where it can work, and work.
// Everything else on the page goes without it.

const part = document.getElementById("passkey");
const button = part.querySelector("button");
const status = part.querySelector("[role=status]");

if (window.PublicKeyCredential && navigator.credentials) part.hidden = false;

button.addEventListener("click", async () => {
  button.disabled = true;
  status.className = "hint";
  status.textContent = "Waiting for your passkey.";
  try {
    await signIn();
    // The server knows where to go on, and whether that is on this site.
    const back = document.querySelector("input[name=redirect]");
    location.replace(back ? `/login?redirect=${encodeURIComponent(back.value)}` : "/login");
  } catch (error) {
    status.className = "error";
    status.textContent =
      error instanceof Refused ? error.message : "No passkey was used. Try again, or sign in with your password.";
    button.disabled = false;
  }
});

class Refused extends Error {}

async function signIn() {
  const options = await post("/api/passkeys/login/options", {});
  const publicKey = { ...options, challenge: decode(options.challenge) };
  const { id, type, rawId, response, authenticatorAttachment } = await navigator.credentials.get({ publicKey });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  await post("/api/passkeys/login", {
    id,
    type,
    rawId: encode(rawId),
    response: {
      clientDataJSON: encode(clientDataJSON),
      authenticatorData: encode(authenticatorData),
      signature: encode(signature),
      ...(userHandle && { userHandle: encode(userHandle) }),
    },
    ...(authenticatorAttachment && { authenticatorAttachment }),
    clientExtensionResults: {},
  });
}

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const { data, error } = await answer.json();
  if (!answer.ok) throw new Refused(error.message);
  return data;
}

function decode(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function encode(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
