/** What must hold for a figure. Data, because it is decided on the median of several processes. */
export interface Goal {
  of: 'ratio' | 'ours';
  is: 'at most' | 'at least';
  bound: number;
}

/** What a goal looks at. */
interface Figures {
  ours: number;
  ratio?: number | undefined;
}

/** A goal for a ratio is not met where there is none. */
export function isMet({ of, is, bound }: Goal, { ours, ratio = Number.NaN }: Figures): boolean {
  const figure = of === 'ratio' ? ratio : ours;
  return is === 'at most' ? figure <= bound : figure >= bound;
}

/** `<= 1.10x`, `>= 0.99` */
export const goalText = ({ of, is, bound }: Goal): string =>
  `${is === 'at most' ? '<=' : '>='} ${of === 'ratio' ? `${bound.toFixed(2)}x` : bound}`;
