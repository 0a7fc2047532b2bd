import type { Action, ActionContext } from '../actions/action.ts';
import type { Data, EnrollmentKey, Listing, Resource, Token } from '../data/data.ts';
import type { Mutations } from '../data/mutations.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { marksDisabledReason, selectedOf } from './selection.ts';
import { commandWords } from './command-line.ts';
import { typedConfirmation } from './typed-confirmation.ts';

/** What is to be revoked, and how. */
interface Revocable<C> {
  noun: 'key' | 'token';
  listOf: (data: Data) => Resource<Listing<C>>;
  /** `kind`: as in `enrollment key`; `owners`: whose it is; `used`: when it was last used. */
  describe: (ui: Ui, credential: C) => { kind: string; owners: Plan['facts']; used: string; warnings: string[] };
  revoke: (mutations: Mutations, id: string) => Promise<unknown>;
}

/** The part of an action that revokes the credential under the cursor. */
export function revokeFlow<C extends EnrollmentKey | Token>({
  noun,
  listOf,
  describe,
  revoke,
}: Revocable<C>): Required<Pick<Action, 'disabledReason' | 'run' | 'line'>> {
  const chosen = (context: ActionContext) => selectedOf(context, listOf(context.ui.data).get().value);
  const lineOf = ({ id }: C) => commandWords({ command: `${noun}s revoke`, args: [id] });

  function planOf(ui: Ui, credential: C): Plan {
    const { id, label, last_four: lastFour } = credential;
    const name = label ?? lastFour;
    const { kind, owners, used, warnings } = describe(ui, credential);
    const title = noun === 'key' ? 'Key' : 'Token';
    return {
      title: `Revoke the ${kind} ${name}`,
      facts: [
        { label: title, text: `${label ?? 'no label'}, ends in ${lastFour}` },
        ...owners,
        { label: 'Used', text: used },
      ],
      warnings,
      line: lineOf(credential),
      confirm: typedConfirmation(ui, name, lastFour),
      async run() {
        await revoke(ui.mutations, id);
        return `The ${noun} ${name} is revoked.`;
      },
    };
  }

  return {
    disabledReason(context) {
      const credential = chosen(context);
      if (!credential) return `select a ${noun} first`;
      return marksDisabledReason(context) ?? (credential.revoked_at === undefined ? undefined : 'already revoked');
    },
    run(context) {
      const credential = chosen(context);
      if (credential) context.ui.overlay.set({ kind: 'plan', plan: planOf(context.ui, credential) });
    },
    line(context) {
      const credential = chosen(context);
      return credential && lineOf(credential);
    },
  };
}
