import type { Whoami } from '../data/data.ts';
import type { Failure } from '../data/freshness.ts';
import { createStore } from '../data/store.ts';
import { notify } from '../actions/notify.ts';
import { paragraph, failureLines } from '../components/line.ts';
import { commandText, commandWords } from '../change-flows/command-line.ts';
import type { Ui } from '../ui.ts';
import { afterKey, inputOf, inputSegments, textOf, withText, type Input } from './input.ts';
import type { Overlay } from './overlay.ts';
import { blank } from './panel.ts';
import type { OverlayController } from './controller.ts';
import { failureFrom } from './failure.ts';

/**
 * Signs in with a token, and restores the previous overlay; changes must be allowed again. A plan or form of another
 * user or another org is not restored: its names and ids may mean other things now.
 */
export function signInController(ui: Ui, overlay: Extract<Overlay, { kind: 'signIn' }>): OverlayController {
  const { reason } = overlay;
  const before = ui.data.whoami.get().value;
  const state = createStore({ input: inputOf(), isBusy: false, failure: undefined as Failure | undefined });
  const set = (change: Partial<ReturnType<typeof state.get>>) => state.update((now) => ({ ...now, ...change }));
  const type = (input: Input) => set({ input, failure: undefined });

  async function signIn(): Promise<void> {
    const token = textOf(state.get().input).trim();
    set({ isBusy: true, failure: undefined });
    try {
      const message = await (token === ''
        ? ui.mutations.signInAgain(onSignedIn)
        : ui.mutations.signIn(token, onSignedIn));
      if (ui.overlay.get() === overlay) ui.overlay.set(overlay.under);
      notify(ui, message);
    } catch (error) {
      const failure = failureFrom(error);
      // Alternatives are listed below; the client's hints are for its commands.
      set({ isBusy: false, failure: token === '' ? failure : { ...failure, hint: undefined } });
    }
  }

  function onSignedIn(who: Whoami): void {
    ui.writes.set(false);
    const isSame = before !== undefined && before.org.id === who.org.id && before.user?.id === who.user?.id;
    const kind = overlay.under?.kind;
    if (!isSame && (kind === 'plan' || kind === 'form')) overlay.under = undefined;
  }

  return {
    state,
    key(key) {
      if (key === 'esc') ui.overlay.set(overlay.under);
      else if (state.get().isBusy) return false;
      else if (key === 'enter') void signIn();
      else {
        const next = afterKey(state.get().input, key);
        if (next) type(next);
        return next !== undefined;
      }
      return true;
    },
    paste(text) {
      if (!state.get().isBusy) type(withText(state.get().input, text));
    },
    panel({ columns }) {
      const { input, isBusy, failure } = state.get();
      const { baseUrl, profile } = ui.data.place;
      return {
        title: 'Sign in',
        tone: 'warn',
        lines: [
          ...paragraph(reason, columns),
          ...paragraph(`${baseUrl}, profile ${profile}`, columns, 'quiet'),
          blank,
          { segments: [{ text: 'Token  ', tone: 'quiet' }, ...inputSegments(input, columns - 8, '*')] },
          ...(failure ? [blank, ...failureLines(failure, columns)] : []),
          blank,
          ...paragraph(
            `Without a token, run ${commandText(commandWords({ command: 'login', flags: { profile: profile === 'default' ? undefined : profile, 'base-url': baseUrl } }))} in another terminal, then press enter here, or r.`,
            columns,
            'quiet',
          ),
        ],
        focus: 3,
        footer: isBusy ? 'asking …' : 'enter signs in  esc closes',
      };
    },
  };
}
