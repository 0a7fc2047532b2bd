import { notify } from '../actions/notify.ts';
import { failureFrom } from '../overlays/failure.ts';
import type { Ui } from '../ui.ts';

/** Covers the open overlay, which is restored afterwards. */
export function openSignIn({ overlay }: Ui, reason: string): void {
  const under = overlay.get();
  if (under?.kind !== 'signIn') overlay.set({ kind: 'signIn', reason, under });
}

/** Continues with the token that `cli login` has saved since, in another terminal; changes must be allowed again. */
export async function signInAgain(ui: Ui): Promise<void> {
  try {
    notify(ui, await ui.mutations.signInAgain(() => ui.writes.set(false)));
  } catch (error) {
    notify(ui, failureFrom(error).message, 'bad');
  }
}

/** Asks for a sign-in when the service rejects the token. Returns the function that ends this. */
export function askForSignIn(ui: Ui): () => void {
  let wasSignedOut = false;
  const look = () => {
    const connection = ui.data.connection.get();
    const isSignedOut = connection.kind === 'signedOut';
    if (isSignedOut && !wasSignedOut) openSignIn(ui, connection.failure.message);
    wasSignedOut = isSignedOut;
  };
  look();
  return ui.data.connection.subscribe(look);
}
