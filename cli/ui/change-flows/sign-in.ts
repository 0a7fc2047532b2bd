import { notify } from '../actions/notify.ts';
import { failureFrom } from '../overlays/failure.ts';
import type { Ui } from '../ui.ts';

/** Over whatever is open, which comes back afterwards. */
export function openSignIn({ overlay }: Ui, reason: string): void {
  const under = overlay.get();
  if (under?.kind !== 'signIn') overlay.set({ kind: 'signIn', reason, under });
}

/** Goes on with what `cli login` saved meanwhile, in another terminal; changes have to be allowed anew. */
export async function signInAgain(ui: Ui): Promise<void> {
  try {
    notify(ui, await ui.mutations.signInAgain(() => ui.writes.set(false)));
  } catch (error) {
    notify(ui, failureFrom(error).message, 'bad');
  }
}

/** Asks for a sign-in as soon as the service takes the token no more. Gives what ends that. */
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
