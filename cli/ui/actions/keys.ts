import { graphemesOf } from '../../output/text-width.ts';

/** What comes from the terminal: a key by its name, as in `j`, `W`, `ctrl-d`, `enter`, or a text that was pasted. */
export type Keystroke = { key: string } | { text: string };

const named: Readonly<Record<string, string>> = {
  '\u001b': 'esc',
  // Pressed twice before anybody looked.
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

/** The last of a control sequence, with its number where that is `~` or the like. */
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

const sequence = /^\u001b+(?:\[\[?|O)(?:(\d+)?(?:;(\d+))?)([~A-Za-z])$/;

/**
 * What one piece of input is: the keyboard gives each key by itself, and a text that was pasted as one. Ink's own names are not used: it takes an unknown
 * sequence for the letters in it, Alt-x for x, and throws at Ctrl-F1. Undefined: nothing that we have a name for.
 */
export function keystrokeOf(piece: string): Keystroke | undefined {
  const key = named[piece] ?? (piece.startsWith('\u001b') ? keyOfSequence(piece) : undefined);
  if (key !== undefined) return { key };
  if (piece === '' || piece.startsWith('\u001b')) return undefined;
  return graphemesOf(piece).length === 1 ? { key: keyOfCharacter(piece) } : { text: piece };
}

function keyOfSequence(piece: string): string | undefined {
  const [, number = '', modifiers = '1', end = ''] = sequence.exec(piece) ?? [];
  const name = ofSequence[end === '~' ? `${number}~` : end];
  if (name !== undefined) return modified(name, Number(modifiers) - 1);
  const [after, ...more] = graphemesOf(piece.slice(1));
  return after === undefined || more.length > 0 ? undefined : `alt-${keyOfCharacter(after)}`;
}

/** Bits as terminals send them. */
const modified = (name: string, bits: number) =>
  `${(bits & 4) === 0 ? '' : 'ctrl-'}${(bits & 2) === 0 ? '' : 'alt-'}${(bits & 1) === 0 ? '' : 'shift-'}${name}`;

function keyOfCharacter(character: string): string {
  const known = named[character];
  if (known !== undefined) return known;
  const code = character.charCodeAt(0);
  return code < 32 ? `ctrl-${String.fromCharCode(code + 64).toLowerCase()}` : character;
}

/** What a key types into a text; undefined: it is for something else. */
export function typedBy(key: string): string | undefined {
  if (key === 'space') return ' ';
  return graphemesOf(key).length === 1 ? key : undefined;
}

const longNames = [...new Set([...Object.values(named), ...Object.values(ofSequence)])];

/** Whether a key can have that name. */
export function isKeyName(name: string): boolean {
  const bare = name.replace(/^(ctrl-)?(alt-)?(shift-)?(?=.)/, '');
  return longNames.includes(name) || longNames.includes(bare) || graphemesOf(bare).length === 1;
}
