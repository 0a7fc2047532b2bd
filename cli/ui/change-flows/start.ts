import { keymapProblems } from '../actions/keymap.ts';
import { notify } from '../actions/notify.ts';
import { actions } from '../actions/all-actions.ts';
import type { Notice, Ui } from '../ui.ts';
import { askForSignIn } from './sign-in.ts';

/** A notice is shown for the time needed to read it, as it hides the keys meanwhile. A failure is shown longer. */
const [leastNoticeMs, failureNoticeMs] = [4_000, 10_000];
const readMsPerCharacter = 60;
const noticeMs = ({ text, tone }: Notice) =>
  Math.max(tone === 'bad' ? failureNoticeMs : leastNoticeMs, text.length * readMsPerCharacter);

/**
 * Background flows: a sign-in is requested when needed, and notices are cleared after a time and with their view.
 * Reports problems of ui.toml at once. Returns the function that ends the flows.
 */
export function startChangeFlows(ui: Ui, fileProblems: readonly string[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const endNotices = ui.notice.subscribe(() => {
    clearTimeout(timer);
    const notice = ui.notice.get();
    if (notice) timer = setTimeout(() => ui.notice.set(undefined), noticeMs(notice));
  });
  let { key } = ui.views.get().current;
  // A notice about one view does not apply to the next.
  const endViews = ui.views.subscribe(() => {
    const before = key;
    ({ key } = ui.views.get().current);
    if (key !== before && ui.notice.get()?.tone !== 'bad') ui.notice.set(undefined);
  });
  const endSignIn = askForSignIn(ui);
  const problems = [...fileProblems, ...keymapProblems(actions, ui.settings).map((problem) => `ui.toml: ${problem}`)];
  if (problems.length > 0) notify(ui, problems.join('. '), 'warn');
  return () => {
    clearTimeout(timer);
    endNotices();
    endViews();
    endSignIn();
  };
}
