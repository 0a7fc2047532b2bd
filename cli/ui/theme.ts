import type { ThemeName } from '../files/ui-settings.ts';

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
  unhealthy: string;
  unknown: string;
  busy: string;
  /** One share of a bar of states; a full block would vanish under the cursor. */
  share: string;
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
  unhealthy: '✗',
  unknown: '?',
  busy: '◌',
  share: '■',
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
  unhealthy: 'x',
  unknown: '?',
  busy: '%',
  share: '#',
  cursor: '>',
  mark: '+',
  ellipsis: '~',
  bars: '_.-:=+*#',
  lines: ['-', '|', '+', '+', '+', '+'],
};

type Looks = Readonly<Record<Tone, TextStyle>>;

/** Without colours: problems stand out, and minor text is dimmed. */
const plainLooks: Looks = {
  good: {},
  warn: { bold: true },
  bad: { bold: true, inverse: true },
  busy: {},
  quiet: { dimColor: true },
  strong: { bold: true },
  accent: { bold: true },
};

/** From the 16 colours that the terminal's owner chose to be readable. */
const fewLooks: Looks = {
  good: { color: 'green' },
  warn: { color: 'yellow' },
  bad: { color: 'red' },
  busy: { color: 'cyan' },
  quiet: { color: 'gray' },
  strong: { bold: true },
  accent: { color: 'cyan', bold: true },
};

/** Named grey is as dark as the background in some palettes. */
const manyLooks: Looks = { ...fewLooks, quiet: { color: 'ansi256(245)' } };

const colour = (index: number): TextStyle => ({ color: `ansi256(${index})` });

/** Colours of the 256 that no terminal changes, so that their contrast is known. */
const themes: Readonly<Record<ThemeName, Looks>> = {
  dark: {
    good: colour(114),
    warn: colour(221),
    bad: colour(210),
    busy: colour(117),
    quiet: colour(249),
    strong: { bold: true },
    accent: { ...colour(117), bold: true },
  },
  light: {
    good: colour(22),
    warn: colour(94),
    bad: colour(124),
    busy: colour(25),
    quiet: colour(240),
    strong: { bold: true },
    accent: { ...colour(25), bold: true },
  },
  'high-contrast': {
    good: { ...colour(120), bold: true },
    warn: { ...colour(226), bold: true },
    bad: { ...colour(217), bold: true },
    busy: { ...colour(123), bold: true },
    quiet: colour(254),
    strong: { bold: true },
    accent: { ...colour(123), bold: true },
  },
  // Blue, yellow and vermilion differ for all common kinds of color vision.
  'color-blind': {
    good: colour(75),
    warn: colour(228),
    bad: { ...colour(202), bold: true },
    busy: colour(75),
    quiet: colour(249),
    strong: { bold: true },
    accent: { ...colour(117), bold: true },
  },
};

/** With 16 colours, the terminal's owner chose them; only what they mean can differ. */
const fewOf: Readonly<Partial<Record<ThemeName, Looks>>> = {
  'high-contrast': { ...fewLooks, quiet: {}, warn: { color: 'yellow', bold: true }, bad: { color: 'red', bold: true } },
  'color-blind': { ...fewLooks, good: { color: 'blue' }, bad: { color: 'magenta', bold: true } },
};

interface ThemeSettings {
  isAscii: boolean;
  /** `few`: the 16 named colours; `many`: 256. */
  colours: 'none' | 'few' | 'many';
  /** The theme at the moment; undefined: the colours of the terminal. Without colours it means nothing. */
  name?: () => ThemeName | undefined;
}

/** Its looks change with its name. */
export function createTheme({ isAscii, colours, name = () => undefined }: ThemeSettings): Theme {
  function looks(): Looks {
    const theme = name();
    if (colours === 'none') return plainLooks;
    if (colours === 'few') return (theme && fewOf[theme]) ?? fewLooks;
    return theme === undefined ? manyLooks : themes[theme];
  }
  return {
    look: (tone) => (tone === undefined ? {} : looks()[tone]),
    signs: isAscii ? asciiSigns : unicodeSigns,
  };
}
