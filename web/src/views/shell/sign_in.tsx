// SPDX-License-Identifier: Apache-2.0
import type { FormEvent } from "react";
import { useState } from "react";
import { signIn } from "../../api/session";
import { canSign, credentialOf } from "../../api/sigv4";
import { Modal } from "../../ui/modal";

interface SignInProps {
  message: string | null; // what the server said; null: the person asked to
  close: (() => void) | null;
}

export function SignIn({ message, close }: SignInProps) {
  const [id, setId] = useState("");
  const [secret, setSecret] = useState("");
  const [region, setRegion] = useState("us-east-1");
  const [remember, setRemember] = useState(false);
  const ready = id.trim() !== "" && secret !== "" && region.trim() !== "" && canSign();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    await signIn(await credentialOf(id.trim(), secret.trim(), region.trim()), remember);
    close?.();
  };
  return (
    <Modal title="Sign in with an access key" close={close}>
      <form className="dialog-body" style={{ padding: 0 }} onSubmit={(event) => void submit(event)}>
        <p className="soft">
          The page signs each request as an SDK does. The secret becomes a signing key in this browser, which no script can read back; it is never sent.
        </p>
        {message !== null && id === "" && <p className="soft">The server says: {message}</p>}
        {!canSign() && (
          <p className="fault" role="alert">
            This browser signs on https and on localhost only. Start the server with --tls-cert and --tls-key, or open the studio on its own machine.
          </p>
        )}
        <label className="stack">
          Access key id
          <input className="field mono" autoFocus autoComplete="username" spellCheck={false} value={id} onChange={(event) => setId(event.target.value)} />
        </label>
        <label className="stack">
          Secret access key
          <input className="field mono" type="password" autoComplete="current-password" value={secret} onChange={(event) => setSecret(event.target.value)} />
        </label>
        <label className="stack">
          Region
          <input className="field mono" spellCheck={false} value={region} onChange={(event) => setRegion(event.target.value)} />
        </label>
        <label className="row">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
          Remember the key in this browser
        </label>
        <div className="row">
          <span className="grow" />
          <button className="button primary" disabled={!ready}>
            Sign in
          </button>
        </div>
      </form>
    </Modal>
  );
}
