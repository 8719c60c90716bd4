// The passkey's part of a signature: the record's digest goes to the authenticator, its answer back
// in a form. Nothing is kept in the browser.
(() => {
  const form = document.querySelector("form[data-passkey]");
  if (!form) return;
  const said = document.getElementById("said");
  const button = form.querySelector("[data-ask]");
  const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const toText = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  async function ask() {
    button.disabled = true;
    try {
      const answer = await navigator.credentials.get({
        publicKey: {
          challenge: toBytes(form.dataset.challenge),
          rpId: form.dataset.relyingParty,
          allowCredentials: [{ type: "public-key", id: toBytes(form.dataset.credential) }],
          userVerification: "required",
          timeout: 110000,
        },
      });
      const { authenticatorData, clientDataJSON, signature } = answer.response;
      form.elements.credential.value = JSON.stringify({
        id: toText(answer.rawId),
        authenticatorData: toText(authenticatorData),
        clientDataJSON: toText(clientDataJSON),
        signature: toText(signature),
      });
      said.textContent = "The passkey has answered; the signature is being stored.";
      form.submit();
    } catch {
      said.textContent = "The passkey did not sign, so nothing is signed. Ask it again, or go back.";
      button.disabled = false;
    }
  }

  button.addEventListener("click", ask);
  // A key that is held down must not sign twice.
  form.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
  ask();
})();
