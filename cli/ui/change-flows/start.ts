import { keymapProblems } from '../actions/keymap.ts';
import { notify } from '../actions/notify.ts';
import { actions } from '../actions/all-actions.ts';
import type { Notice, Ui } from '../ui.ts';
import { askForSignIn } from './sign-in.ts';

/** A notice stands as long as it takes to read it: the keys that matter are away meanwhile. What failed is not to be missed. */
const [leastNoticeMs, failureNoticeMs] = [4_000, 10_000];
const readMsPerCharacter = 60;
const noticeMs = ({ text, tone }: Notice) =>
  Math.max(tone === 'bad' ? failureNoticeMs : leastNoticeMs, text.length * readMsPerCharacter);

/**
 * What goes on beside the screens: a sign-in is asked for where it is needed, and notices go by themselves and with their view. Tells at once what of ui.toml cannot be
 * used. Gives what ends it.
 */
export function startChangeFlows(ui: Ui, fileProblems: readonly string[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const endNotices = ui.notice.subscribe(() => {
    clearTimeout(timer);
    const notice = ui.notice.get();
    if (notice) timer = setTimeout(() => ui.notice.set(undefined), noticeMs(notice));
  });
  let { key } = ui.views.get().current;
  // What was told of one view is no word of the next.
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
