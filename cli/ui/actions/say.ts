import type { Notice, Ui } from '../ui.ts';

/** Says a sentence on the line above the keys. */
export const say = ({ notice }: Pick<Ui, 'notice'>, text: string, tone: Notice['tone'] = 'good') =>
  notice.set({ text, tone });
