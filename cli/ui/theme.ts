/** Colours by meaning. */
export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'quiet' | 'strong' | 'accent';

/** How a tone looks, in the properties of Ink's Text. */
export interface TextStyle {
  color?: string;
  backgroundColor?: string;
  bold?: boolean;
  dimColor?: boolean;
  inverse?: boolean;
}

/** Signs of states: no state is shown by colour alone. */
export interface Signs {
  online: string;
  offline: string;
  degraded: string;
  unknown: string;
  busy: string;
  cursor: string;
  mark: string;
  ellipsis: string;
  /** Eight steps from low to high. */
  bars: string;
  /** Horizontal, vertical, and the four corners clockwise from the top left. */
  lines: readonly [string, string, string, string, string, string];
}

export interface Theme {
  look(tone: Tone | undefined): TextStyle;
  signs: Signs;
}

const unicodeSigns: Signs = {
  online: '●',
  offline: '○',
  degraded: '▲',
  unknown: '?',
  busy: '◌',
  cursor: '▸',
  mark: '✓',
  ellipsis: '…',
  bars: '▁▂▃▄▅▆▇█',
  lines: ['─', '│', '┌', '┐', '┘', '└'],
};

const asciiSigns: Signs = {
  online: '*',
  offline: 'o',
  degraded: '!',
  unknown: '?',
  busy: '%',
  cursor: '>',
  mark: '+',
  ellipsis: '~',
  bars: '_.-:=+*#',
  lines: ['-', '|', '+', '+', '+', '+'],
};

/** Without colours: problems stand out, and minor text is dimmed. */
const plainLooks: Readonly<Record<Tone, TextStyle>> = {
  good: {},
  warn: { bold: true },
  bad: { bold: true, inverse: true },
  busy: {},
  quiet: { dimColor: true },
  strong: { bold: true },
  accent: { bold: true },
};

/** From the 16 colours that the terminal's owner chose to be readable. */
const fewLooks: Readonly<Record<Tone, TextStyle>> = {
  good: { color: 'green' },
  warn: { color: 'yellow' },
  bad: { color: 'red' },
  busy: { color: 'cyan' },
  quiet: { color: 'gray' },
  strong: { bold: true },
  accent: { color: 'cyan', bold: true },
};

/** Named grey is as dark as the background in some palettes. */
const manyLooks: Readonly<Record<Tone, TextStyle>> = { ...fewLooks, quiet: { color: 'ansi256(245)' } };

const looks = { none: plainLooks, few: fewLooks, many: manyLooks };

/** `few`: the 16 named colours; `many`: 256. */
export function createTheme({ isAscii, colours }: { isAscii: boolean; colours: keyof typeof looks }): Theme {
  return {
    look: (tone) => (tone === undefined ? {} : looks[colours][tone]),
    signs: isAscii ? asciiSigns : unicodeSigns,
  };
}
