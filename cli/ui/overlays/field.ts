import { fitTo } from '../../output/text-width.ts';
import { lineOf, paragraph, type Line, type Segment } from '../components/line.ts';
import type { Theme } from '../theme.ts';
import { afterKey, inputOf, inputSegments, textOf, withText, type Input } from './input.ts';
import type { FormField } from './overlay.ts';
import { visibleAround } from './panel.ts';

/** State of a field. Of a choice: the search text, and the index of the selected match. */
export interface FieldState {
  input: Input;
  at: number;
}

/** Choices shown at once. */
const maxChoices = 5;

export function initialState({ kind, initial, choices = [] }: FormField): FieldState {
  if (kind !== 'choice') return { input: inputOf(initial), at: 0 };
  const at = choices.findIndex(({ value }) => value === initial);
  return { input: inputOf(), at: Math.max(0, at) };
}

/** The choices that contain all words, ignoring case and accents. */
function found({ choices = [] }: FormField, { input }: FieldState) {
  const words = withoutAccents(textOf(input)).split(/\s+/);
  return choices.filter(({ text }) => words.every((word) => withoutAccents(text).includes(word)));
}

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Empty if nothing is selected. */
export function valueOf(field: FormField, state: FieldState): string {
  return field.kind === 'choice' ? (found(field, state)[state.at]?.value ?? '') : textOf(state.input);
}

/** Why the value is invalid; undefined: it is valid. */
export function faultOf(field: FormField, state: FieldState): string | undefined {
  const value = valueOf(field, state);
  return field.kind === 'choice' && value === '' && found(field, state).length === 0
    ? 'no matches'
    : field.check?.(value);
}

/** The field after a key; undefined: the key is not for a field. */
export function fieldAfterKey(field: FormField, state: FieldState, key: string): FieldState | undefined {
  if (field.kind === 'choice' && (key === 'up' || key === 'down')) {
    const at = state.at + (key === 'up' ? -1 : 1);
    // Beyond the first and the last choice, the form moves to another field.
    return at < 0 || at >= found(field, state).length ? undefined : { ...state, at };
  }
  const input = afterKey(state.input, key);
  return input && withInput(field, state, input);
}

export const fieldWithText = (field: FormField, state: FieldState, text: string): FieldState =>
  withInput(field, state, withText(state.input, text));

/** A new search text selects the first match. */
const withInput = (field: FormField, state: FieldState, input: Input): FieldState => ({
  input,
  at: field.kind === 'choice' && textOf(input) !== textOf(state.input) ? 0 : state.at,
});

interface Look {
  theme: Theme;
  labelWidth: number;
  width: number;
  isFocused: boolean;
  fault: string | undefined;
}

export function fieldLines(field: FormField, state: FieldState, look: Look): Line[] {
  const { theme, labelWidth, width, isFocused, fault } = look;
  const room = Math.max(8, width - labelWidth - 4);
  const label: Segment[] = [
    { text: isFocused ? `${theme.signs.cursor} ` : '  ', tone: 'accent' },
    { text: `${fitTo(field.label, labelWidth, '')}  `, tone: isFocused ? 'strong' : 'quiet' },
  ];
  const below = (lines: readonly Line[]): Line[] =>
    lines.map(({ segments }) => ({ segments: [{ text: ' '.repeat(labelWidth + 4) }, ...segments] }));
  return [
    {
      segments: [
        ...label,
        ...(isFocused ? inputSegments(state.input, room, mask(field)) : [{ text: restText(field, state) }]),
      ],
    },
    ...(isFocused && field.kind === 'choice' ? below(choiceLines(field, state, theme)) : []),
    ...(fault === undefined ? [] : below(paragraph(fault, room, 'bad'))),
    ...(fault === undefined ? below(adviceLines(field, state, { room, isFocused })) : []),
  ];
}

/** Hints for the field. If there are no choices, the hint says how to create one before the user tries. */
function adviceLines(field: FormField, state: FieldState, { room, isFocused }: { room: number; isFocused: boolean }) {
  const { kind, choices = [], hint } = field;
  if (kind === 'choice' && choices.length === 0) return paragraph(field.check?.('') ?? '', room, 'warn');
  if (!isFocused) return [];
  if (kind === 'choice' && found(field, state).length === 0) return paragraph('No matches.', room, 'warn');
  return hint === undefined ? [] : paragraph(hint, room, 'quiet');
}

const mask = ({ kind }: FormField) => (kind === 'secret' ? '*' : undefined);

function restText(field: FormField, state: FieldState): string {
  if (field.kind === 'choice') return found(field, state)[state.at]?.text ?? '';
  return field.kind === 'secret' ? '*'.repeat(state.input.characters.length) : textOf(state.input);
}

function choiceLines(field: FormField, state: FieldState, theme: Theme): Line[] {
  const all = found(field, state);
  const shown = visibleAround(all, state.at, maxChoices).map((choice): Line => {
    const isTaken = choice === all[state.at];
    return {
      segments: [
        { text: isTaken ? `${theme.signs.cursor} ` : '  ', tone: 'accent' },
        { text: choice.text, isInverse: isTaken },
      ],
    };
  });
  const more = all.length - shown.length;
  return more > 0 ? [...shown, lineOf(`  ${more} more: type a part of the name`, 'quiet')] : shown;
}
