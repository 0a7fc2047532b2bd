import { widthOf } from '../../output/text-width.ts';
import type { Failure } from '../data/freshness.ts';
import { createStore } from '../data/store.ts';
import { copy } from '../actions/copy.ts';
import { notify } from '../actions/notify.ts';
import { beginUnfinished, quit } from '../change-flows/quit.ts';
import { commandText } from '../change-flows/command-line.ts';
import { showSecret } from '../change-flows/show-secret.ts';
import { fitLine, lineOf, paragraph, failureLines, type Line } from '../components/line.ts';
import { isTooSmall } from '../terminal-size.ts';
import type { Ui } from '../ui.ts';
import { afterKey, inputOf, inputSegments, textOf, withText, type Input } from './input.ts';
import type { Overlay, Plan } from './overlay.ts';
import { blank, labelledLines } from './panel.ts';
import type { OverlayController } from './controller.ts';
import { failureFrom } from './failure.ts';

/**
 * The states of a plan:
 *   asking   enter, after the required text if there is one → armed, or running if enter is enough; esc closes. An enter
 *            that is held, bounces or was typed ahead is ignored
 *   armed    3 s, in which esc, or the plan going out of sight, returns to asking; then running
 *   running  the change is in flight → closed with a notice, or asking again with the failure; esc leaves the change
 *            running, and quitting asks for confirmation
 */
type Phase =
  | { kind: 'asking' }
  | { kind: 'armed'; seconds: number }
  /** `progress`: done so far; undefined: it has no parts. `isLeft`: the user asked to quit. */
  | { kind: 'running'; progress?: string; isLeft?: true };

interface State {
  phase: Phase;
  typed: Input;
  /** Failure of the last attempt. */
  failure: Failure | undefined;
  /** Enter was ignored, and nothing was started since. */
  isHasty: boolean;
}

/**
 * An enter counts only this long after the plan was drawn, and after the enter before. A held key repeats sooner, and
 * nobody reads faster.
 */
const pauseMs = 700;

const armSeconds = 3;
/** A second that takes longer means that this process was stopped, or the machine was asleep. */
const longestSecondMs = 3_000;
/** A longer fact would push the others out of sight. */
const maxFactRows = 4;

/** An accented letter may be one character, or a letter and its accent. */
const plainOf = (text: string) => text.normalize('NFC').trim();

/** A change, shown until it is confirmed. */
export function planController(ui: Ui, overlay: Extract<Overlay, { kind: 'plan' }>): OverlayController {
  const { plan, from } = overlay;
  const state = createStore<State>({
    phase: { kind: 'asking' },
    typed: inputOf(),
    failure: undefined,
    isHasty: false,
  });
  const set = (change: Partial<State>) => state.update((now) => ({ ...now, ...change }));
  const isOpen = () => ui.overlay.get() === overlay;
  let timer: NodeJS.Timeout | undefined;
  /** Since when the plan is shown unchanged, without an enter; undefined: it was not shown yet. */
  let quietSinceMs: number | undefined;

  function seen(): void {
    if (quietSinceMs !== undefined) return;
    quietSinceMs = ui.data.now();
    const end = ui.overlay.subscribe(() => {
      if (isOpen()) return;
      end();
      quietSinceMs = undefined;
    });
  }

  /** A user who types the text, or stops the countdown, has seen the plan. */
  function byHand(): void {
    if (plan.confirm.kind === 'type' && quietSinceMs !== undefined) quietSinceMs = Number.NEGATIVE_INFINITY;
  }

  function confirmed(): void {
    const isHasty = quietSinceMs === undefined || ui.data.now() - quietSinceMs < pauseMs;
    if (quietSinceMs !== undefined) quietSinceMs = ui.data.now();
    const { confirm } = plan;
    if (confirm.kind === 'type' && plainOf(textOf(state.get().typed)) !== plainOf(confirm.text))
      set({ failure: { message: `Type exactly: ${confirm.text}`, code: 'bad_request' } });
    // A sign-in over the plan ended write mode.
    else if (!ui.writes.get())
      set({
        failure: { message: 'Changes are no longer allowed. Press esc, then W to allow them.', code: 'forbidden' },
      });
    else if (isHasty) set({ isHasty });
    else if (confirm.kind === 'enter') void run();
    else arm(armSeconds);
  }

  /** Returns to asking, with something to read first. */
  function askAnew(failure?: Failure): void {
    quietSinceMs = undefined;
    set({ phase: { kind: 'asking' }, failure });
  }

  function arm(seconds: number): void {
    if (!isOpen()) return askAnew();
    if (isTooSmall(ui.terminal.size.get())) return disarm('The countdown stopped because the plan was hidden.');
    if (seconds === 0) return void run();
    set({ phase: { kind: 'armed', seconds }, failure: undefined, isHasty: false });
    // Wall clock: the monotonic clock may stop while the machine sleeps, and miss the gap.
    const beganMs = Date.now();
    timer = setTimeout(() => {
      if (Date.now() - beganMs > longestSecondMs) disarm('The countdown was interrupted, and stopped.');
      else arm(seconds - 1);
    }, 1_000);
  }

  function disarm(why?: string): void {
    clearTimeout(timer);
    if (why !== undefined) return askAnew({ message: why, code: 'bad_request' });
    set({ phase: { kind: 'asking' }, failure: undefined });
    byHand();
  }

  async function run(): Promise<void> {
    set({ phase: { kind: 'running' }, failure: undefined, isHasty: false });
    const over = beginUnfinished(ui, { describe });
    try {
      const done = await plan.run((progress) => running({ progress }));
      const { message, secret, open }: Exclude<typeof done, string> =
        typeof done === 'string' ? { message: done } : done;
      const shown = ui.overlay.get();
      // A sign-in that covers the plan would restore it, as if it were still in progress.
      if (shown?.kind === 'signIn' && shown.under === overlay) shown.under = undefined;
      if (shown === overlay) {
        ui.overlay.set(undefined);
        if (open) ui.views.go(open);
      }
      notify(ui, message);
      if (secret) showSecret(ui, secret);
    } catch (error) {
      const failure = failureFrom(error);
      askAnew(failure);
      if (isOpen()) return;
      notify(ui, `${plan.title}: ${failure.message}`, 'bad');
      if (plan.confirm.kind === 'enter' || ui.overlay.get()) return;
      // The remaining changes can be made from here, once the text is typed again.
      set({ typed: inputOf() });
      ui.overlay.set(overlay);
    } finally {
      over();
    }
  }

  function running(change: Partial<Extract<Phase, { kind: 'running' }>>): void {
    const { phase } = state.get();
    if (phase.kind === 'running') set({ phase: { ...phase, ...change } });
  }

  /** What quitting now would do to the change. */
  function describe(): string {
    const { phase } = state.get();
    const progress = phase.kind === 'running' ? phase.progress : undefined;
    return progress === undefined
      ? 'A change is in progress. Quit again to leave without waiting for the result.'
      : `${progress}. Quit again to leave without the rest.`;
  }

  function keyWhileAsking(key: string): boolean {
    const next = plan.confirm.kind === 'type' ? afterKey(state.get().typed, key) : undefined;
    if (next) {
      set({ typed: next });
      byHand();
    } else if (key === 'enter') confirmed();
    else if (key === 'esc') ui.overlay.set(from);
    else if (key === 'ctrl-y' || key === 'Y') copy(ui, commandText(plan.line));
    else return false;
    return true;
  }

  return {
    state,
    key(key) {
      switch (state.get().phase.kind) {
        case 'asking':
          return keyWhileAsking(key);
        case 'armed':
          if (key === 'esc' || key === 'ctrl-c' || key === 'ctrl-z') disarm();
          return key !== 'ctrl-z' && key !== 'ctrl-l';
        case 'running':
          // The change continues, and a notice reports its outcome.
          if (key === 'esc') ui.overlay.set(undefined);
          else if (key === 'ctrl-c') {
            quit(ui);
            running({ isLeft: true });
          }
          return key === 'esc' || key === 'ctrl-c';
      }
    },
    paste(text) {
      if (plan.confirm.kind !== 'type' || state.get().phase.kind !== 'asking') return;
      set({ typed: withText(state.get().typed, text) });
      byHand();
    },
    panel({ columns }) {
      const { phase, typed, failure, isHasty } = state.get();
      const { confirm } = plan;
      if (phase.kind === 'asking') seen();
      const facts = planLines(plan, columns, ui.theme.signs.ellipsis);
      const asked: Line[] =
        confirm.kind === 'type' && phase.kind === 'asking'
          ? [
              blank,
              lineOf(`Type ${confirm.text} and press enter:`),
              { segments: [{ text: '> ', tone: 'accent' }, ...inputSegments(typed, columns - 3)] },
            ]
          : [];
      const lines = [
        ...facts,
        ...asked,
        ...(phase.kind === 'armed'
          ? [blank, lineOf(`Starts in ${phase.seconds} s. esc stops it.`, 'warn')]
          : phase.kind === 'running'
            ? [
                blank,
                lineOf(phase.progress === undefined ? 'In progress …' : `In progress: ${phase.progress} …`, 'busy'),
                // The notice may be hidden below this dialog.
                ...(phase.isLeft ? paragraph(describe(), columns, 'warn') : []),
              ]
            : []),
        ...(failure ? [blank, ...failureLines(failure, columns)] : []),
        ...(isHasty ? [blank, lineOf('Enter was pressed too soon to have read this. Press it again.', 'warn')] : []),
      ];
      return { title: plan.title, tone: 'warn', lines, focus: lines.length - 1, footer: footer(phase, plan, failure) };
    },
  };
}

function planLines({ facts, warnings, line: words }: Plan, width: number, ellipsis: string): Line[] {
  const all = [...facts, { label: 'Same as', text: commandText(words) }];
  const labelWidth = Math.max(...all.map(({ label }) => widthOf(label)));
  return [
    ...all.flatMap(({ label, text }) => {
      const lines = labelledLines(label, text, { labelWidth, width });
      const last = lines[maxFactRows - 1];
      if (last === undefined || lines.length === maxFactRows) return lines;
      const segments = last.segments.map((part, at) =>
        at === 0 ? part : { ...part, text: `${part.text} ${ellipsis}` },
      );
      return [...lines.slice(0, maxFactRows - 1), fitLine({ segments }, width, ellipsis)];
    }),
    ...(warnings.length === 0 ? [] : [blank]),
    ...warnings.flatMap((warning) => paragraph(`! ${warning}`, width, 'warn')),
  ];
}

function footer({ kind }: Phase, plan: Plan, failure: Failure | undefined): string {
  if (kind === 'armed') return 'esc stops it';
  if (kind === 'running') return 'esc closes this dialog; the change continues';
  return plan.confirm.kind === 'enter'
    ? `${enterText(plan, failure)}  Y copies the line  esc back`
    : `${failure ? `${enterText(plan, failure)}  ` : ''}ctrl-y copies the line  esc back`;
}

/** If the response was lost, a change without an idempotency key may have been made, and a retry would repeat it. */
function enterText({ isRepeatable }: Plan, failure: Failure | undefined): string {
  if (!failure || failure.code === 'bad_request') return 'enter confirms';
  if (isRepeatable) return 'enter retries, safe to repeat';
  const isUnknown = failure.code === 'http_error' || failure.code === 'internal_server_error';
  return isUnknown ? 'it may have been done: check first  enter retries' : 'enter retries';
}
