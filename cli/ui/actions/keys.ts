import { graphemesOf } from '../../output/text-width.ts';
import type { MouseEvent } from '../mouse/mouse-event.ts';

/** Terminal input: a key by name, as in `j`, `W`, `ctrl-d`, `enter`, a pasted text, or what the mouse did. */
export type Keystroke = { key: string } | { text: string } | { mouse: MouseEvent };

const named: Readonly<Record<string, string>> = {
  '\u001b': 'esc',
  // Pressed twice before it was read.
  '\u001b\u001b': 'esc',
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\t': 'tab',
  '\u0000': 'ctrl-space',
  '\b': 'backspace',
  '\u007f': 'backspace',
  ' ': 'space',
};

/** The last character of a control sequence, with its number if that character is `~`. */
const ofSequence: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'shift-tab',
  '1~': 'home',
  '3~': 'delete',
  '4~': 'end',
  '5~': 'pgup',
  '6~': 'pgdn',
  '7~': 'home',
  '8~': 'end',
};

const mouse = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/;
const mouseKinds: Readonly<Record<number, MouseEvent['kind']>> = { 0: 'click', 64: 'wheelUp', 65: 'wheelDown' };

const sequence = /^\u001b+(?:\[\[?|O)(?:(\d+)?(?:;(\d+))?)([~A-Za-z])$/;

/**
 * Decodes one piece of input: the keyboard passes on each key by itself, and a pasted text as one piece. Ink's key
 * names are not used: Ink takes an unknown sequence for its letters, and throws at Ctrl-F1. Undefined: a key without a
 * name here. Alt with a character has none: terminals send it like Escape and the character, typed in quick succession.
 */
export function keystrokeOf(piece: string): Keystroke | undefined {
  const [, button, column, row, end] = mouse.exec(piece) ?? [];
  if (button !== undefined) return mouseOf(Number(button), Number(column), Number(row), end === 'M');
  const key = named[piece] ?? (piece.startsWith('\u001b') ? keyOfSequence(piece) : undefined);
  if (key !== undefined) return { key };
  if (piece === '' || piece.startsWith('\u001b')) return undefined;
  return graphemesOf(piece).length === 1 ? { key: keyOfCharacter(piece) } : { text: piece };
}

function keyOfSequence(piece: string): string | undefined {
  const [, number = '', modifiers = '1', end = ''] = sequence.exec(piece) ?? [];
  const name = ofSequence[end === '~' ? `${number}~` : end];
  return name === undefined ? undefined : modified(name, Number(modifiers) - 1);
}

/** Of all events, presses of the left button and the wheel mean something; cells are counted from 1. */
function mouseOf(button: number, column: number, row: number, isPress: boolean): Keystroke | undefined {
  const kind = !isPress ? undefined : mouseKinds[button];
  return kind && { mouse: { kind, column: column - 1, row: row - 1 } };
}

/** Modifier bits as sent by terminals. */
const modified = (name: string, bits: number) =>
  `${(bits & 4) === 0 ? '' : 'ctrl-'}${(bits & 2) === 0 ? '' : 'alt-'}${(bits & 1) === 0 ? '' : 'shift-'}${name}`;

function keyOfCharacter(character: string): string {
  const known = named[character];
  if (known !== undefined) return known;
  const code = character.charCodeAt(0);
  return code < 32 ? `ctrl-${String.fromCharCode(code + 64).toLowerCase()}` : character;
}

/** The text that a key types; undefined: none. */
export function typedBy(key: string): string | undefined {
  if (key === 'space') return ' ';
  return graphemesOf(key).length === 1 ? key : undefined;
}

const namesOfSequences = Object.values(ofSequence);
const longNames = [...Object.values(named), ...namesOfSequences];

/** Whether a key can have that name. */
export const isKeyName = (name: string): boolean =>
  longNames.includes(name) ||
  namesOfSequences.includes(name.replace(/^(ctrl-)?(alt-)?(shift-)?(?=.)/, '')) ||
  graphemesOf(name.replace(/^ctrl-(?=.)/, '')).length === 1;
