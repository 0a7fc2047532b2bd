import type { Started } from './docs-terminal.ts';

/** How a reader deals with a line that keeps running. */
export interface KeepsRunning {
  /** The output that is enough for the reader. */
  seen: string | RegExp;
  /** What ends it; default Ctrl-C. */
  end?: string;
  untilTheEnd?: true;
}

/** A kind of lines that keep running. */
export interface LongCommand extends KeepsRunning {
  lines: RegExp;
  begins?: (started: Started) => void;
}

export const startsAgent = /^(?:\w+=\S+ )*(?:cli agent|node \S*agent\.mjs) run\b(?!.*--help)/;

/** On a terminal the service reports in words that it is ready; its log line comes last. */
const isReady = /"msg":"ready".*\n/;

/** Each ends as a reader ends it, with what shows that it works. Programs of robots and the service keep running. */
export const longCommands: readonly LongCommand[] = [
  { lines: /^npm ci && npm start$/, seen: isReady, untilTheEnd: true },
  { lines: startsAgent, seen: 'Connected', untilTheEnd: true },
  { lines: /^cli agent simulate (?!.*&$)/, seen: /up (\d+) · connecting 0 ·.*acks/, untilTheEnd: true },
  { lines: /^cli demo$/, seen: /\d+ of \d+ robots online/, untilTheEnd: true },
  { lines: /^cli ui$/, seen: 'READ-ONLY', end: 'q' },
  { lines: /^cli (?:robots|fleets) logs .*--follow/, seen: /\S/ },
  { lines: /^cli robots shell [\w-]+$/, seen: 'Connected to', end: 'exit\n' },
  // What is typed before top has drawn, its terminal discards.
  { lines: /^cli robots shell [\w-]+ -t -- top$/, seen: 'PID USER', end: 'q' },
  { lines: /^cli robots camera (?!.*--(?:once|save|out))/, seen: 'q quits', end: 'q' },
  { lines: /^cli robots camera .*--save/, seen: /\S/ },
  { lines: /^cli \w+ list .*--watch/, seen: /\S/ },
];
