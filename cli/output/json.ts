import type { Tone } from '../command-line/colour.ts';

const token = /("(?:[^"\\]|\\.)*")(:?)|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Colours keys, texts and other values of JSON. */
export function paintJson(json: string, paint: (text: string, tone: Tone) => string): string {
  return json.replace(token, (match: string, text: string | undefined, colon: string | undefined) => {
    if (text === undefined) return paint(match, 'warn');
    return colon === ':' ? `${paint(text, 'strong')}:` : paint(text, 'good');
  });
}
