import { safeCell } from '../../output/safe.ts';
import { widthOf } from '../../output/text-width.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';

/** Longest text, in columns, that is visible in the prompt on the smallest terminal. */
const maxColumns = 32;
const plain = /^[ -~]+$/;
/** Letters of any script; no pictures, unusual spaces or invisible marks. */
const lettered = /^[\p{L}\p{M}\p{N}\p{P}\p{Sc}\p{Sk}\p{Sm} ]+$/u;

/** Asks for the text, or for `otherwise` if the text as shown cannot be typed. */
export function typedConfirmation(
  { settings }: Pick<Ui, 'settings'>,
  text: string,
  otherwise: string,
): Plan['confirm'] {
  const isTypeable =
    (settings.isAscii ? plain : lettered).test(text) && safeCell(text) === text && widthOf(text) <= maxColumns;
  return { kind: 'type', text: isTypeable ? text : otherwise };
}
