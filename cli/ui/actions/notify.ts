import type { Notice, Ui } from '../ui.ts';

/** Says a sentence in the place of the keys that matter, for some seconds. */
export const notify = ({ notice }: Pick<Ui, 'notice'>, text: string, tone: Notice['tone'] = 'good') =>
  notice.set({ text, tone });
