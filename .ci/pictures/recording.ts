import { cell, escaped, padding, rowMarkup, styles } from './drawing.ts';
import { background, foreground } from './palette.ts';
import type { Screen, Terminal } from './terminal.ts';

interface Frame {
  atMs: number;
  tab: number;
  screen: Screen;
}

/** Frames follow each other at this distance or a longer one. */
const frameMs = 90;
/** What takes longer is shortened to this, unless the viewer reads meanwhile. */
const waitMs = 350;
const titleHeight = 32;

/** Records what terminals show, each of them a tab of one window. */
export function startRecording() {
  const frames: Frame[] = [];
  let clockMs = 0;
  let lastMs = performance.now();
  let tab = 0;
  let isHolding = false;

  function tick(): number {
    const nowMs = performance.now();
    clockMs += isHolding ? nowMs - lastMs : Math.min(nowMs - lastMs, waitMs);
    lastMs = nowMs;
    return clockMs;
  }
  function record(terminal: Terminal): void {
    const atMs = tick();
    const last = frames.at(-1);
    const frame = { atMs, tab, screen: terminal.screen() };
    if (last && last.tab === tab && JSON.stringify(last.screen) === JSON.stringify(frame.screen)) return;
    if (last && last.tab === tab && atMs - last.atMs < frameMs) last.screen = frame.screen;
    else frames.push(frame);
  }
  return {
    frames,
    show(index: number, terminal: Terminal): void {
      tab = index;
      record(terminal);
    },
    record: (index: number) => (terminal: Terminal) => {
      if (index === tab) record(terminal);
    },
    /** Time for the viewer to read. */
    async hold(ms: number): Promise<void> {
      tick();
      isHolding = true;
      await new Promise((resolve) => setTimeout(resolve, ms));
      tick();
      isHolding = false;
    },
    durationMs: tick,
  };
}

interface RecordingSettings {
  frames: readonly Frame[];
  durationMs: number;
  tabs: readonly string[];
  columns: number;
  rows: number;
  title: string;
}

/** The frames as a strip that moves behind a window; a row that several frames have is in the file once. */
export function recordingSvg({ frames, durationMs, tabs, columns, rows, title }: RecordingSettings): string {
  const width = Math.ceil(columns * cell.width) + 2 * padding;
  const height = rows * cell.height + titleHeight + padding;
  const ids = new Map<string, string>();
  const idOf = (markup: string) => {
    const id = ids.get(markup) ?? `r${ids.size.toString(36)}`;
    ids.set(markup, id);
    return id;
  };
  const strip = frames.map(({ tab, screen }, index) => {
    const uses = screen.flatMap((runs, row) =>
      runs.length === 0 ? [] : [`<use href="#${idOf(rowMarkup(runs))}" y="${row * cell.height}"/>`],
    );
    return `<g transform="translate(${index * width})"><use href="#t${tab}" y="${-titleHeight}"/>${uses.join('')}</g>`;
  });
  const steps = frames.map(
    ({ atMs }, index) => `${percent(index === 0 ? 0 : atMs / durationMs)}{transform:translateX(${-index * width}px)}`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${styles}
.s{transform:translateX(${-(frames.length - 1) * width}px);animation:s ${(durationMs / 1000).toFixed(1)}s step-end infinite}
@media (prefers-reduced-motion:reduce){.s{animation:none}}
@keyframes s{${steps.join('')}}</style>
<defs>${tabs.map((_, index) => `<g id="t${index}">${tabsMarkup(tabs, index)}</g>`).join('')}
${[...ids].map(([markup, id]) => `<g id="${id}">${markup}</g>`).join('\n')}
</defs>
<clipPath id="w"><rect width="${width}" height="${height}" rx="8"/></clipPath>
<g clip-path="url(#w)"><rect width="${width}" height="${height}" fill="${background}"/><path fill="#222833" d="M0 0h${width}v${titleHeight - 8}H0z"/>
<g transform="translate(${padding} ${titleHeight})"><g class="s">
${strip.join('\n')}
</g></g></g>
</svg>
`;
}

/** The titles of the tabs, with the one that is open. */
const tabsMarkup = (tabs: readonly string[], open: number) =>
  tabs
    .map((name, index) => {
      const x = index * 130;
      const isOpen = index === open;
      const back = isOpen ? `<path fill="${background}" d="M${x - padding} 0h130v${titleHeight - 8}h-130z"/>` : '';
      return `${back}<text x="${x}" y="17" style="fill:${isOpen ? foreground : '#98a2b3'}">${escaped(name)}</text>`;
    })
    .join('');

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
