import type { Notice, Ui } from '../ui.ts';

/** Shows a sentence for some seconds, in place of the keys in the status bar. */
export const notify = ({ notice }: Pick<Ui, 'notice'>, text: string, tone: Notice['tone'] = 'good') =>
  notice.set({ text, tone });
