import { safeCell } from '../../output/safe.ts';
import { widthOf } from '../../output/text-width.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';

/** So much of the line that asks for it is in sight on the smallest terminal. */
const maxColumns = 32;
const plain = /^[ -~]+$/;
/** Letters of any script, and no pictures, odd spaces or marks that are not seen. */
const lettered = /^[\p{L}\p{M}\p{N}\p{P}\p{Sc}\p{Sk}\p{Sm} ]+$/u;

/** Asks for the text, or for `otherwise` where nobody could type what is shown of it. */
export function typedConfirmation(
  { settings }: Pick<Ui, 'settings'>,
  text: string,
  otherwise: string,
): Plan['confirm'] {
  const isTypeable =
    (settings.isAscii ? plain : lettered).test(text) && safeCell(text) === text && widthOf(text) <= maxColumns;
  return { kind: 'type', text: isTypeable ? text : otherwise };
}

/** The end of an id, which everybody can type. */
export const idEnd = (id: string): string => id.slice(-8);
