import { bindingProblems } from '../actions/bindings.ts';
import { say } from '../actions/say.ts';
import { actions } from '../actions/table.ts';
import type { Notice, Ui } from '../ui.ts';
import { askForSignIn } from './sign-in.ts';

/** A notice stands as long as it takes to read it. */
const noticeMs: Readonly<Record<Notice['tone'], number>> = { good: 6_000, warn: 10_000, bad: 20_000 };

/**
 * What goes on beside the screens: a sign-in is asked for where it is needed, and notices go by themselves. Tells at once what of ui.toml cannot be
 * used. Gives what ends it.
 */
export function beginDoing(ui: Ui, fileProblems: readonly string[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const endNotices = ui.notice.subscribe(() => {
    clearTimeout(timer);
    const notice = ui.notice.get();
    if (notice) timer = setTimeout(() => ui.notice.set(undefined), noticeMs[notice.tone]);
  });
  const endSignIn = askForSignIn(ui);
  const problems = [...fileProblems, ...bindingProblems(actions, ui.settings).map((problem) => `ui.toml: ${problem}`)];
  if (problems.length > 0) say(ui, problems.join('. '), 'warn');
  return () => {
    clearTimeout(timer);
    endNotices();
    endSignIn();
  };
}
