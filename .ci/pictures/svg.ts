import { background, foreground } from './colours.ts';
import type { Run, Screen } from './screen.ts';
import { isShape, shapeOf } from './shapes.ts';

const cell = { width: 8.4, height: 18, baseline: 13 };
const margin = 14;

export interface Frame {
  screen: Screen;
  /** How long it is shown, milliseconds. */
  ms: number;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const short = (value: number) => String(Math.round(value * 100) / 100);

/** Neighbours of one colour are one rectangle, so that no line shows between them. */
function backgroundsOf(runs: readonly Run[]): string[] {
  const areas: { back: string; column: number; width: number }[] = [];
  for (const { back, column, width } of runs) {
    if (back === undefined) continue;
    const last = areas.at(-1);
    if (last && last.back === back && last.column + last.width === column) last.width += width;
    else areas.push({ back, column, width });
  }
  return areas.map(({ back, column, width }) => {
    const place = `x="${short(column * cell.width)}" y="-${cell.baseline}" width="${short(width * cell.width)}"`;
    return `<rect ${place} height="${cell.height}" fill="${back}"/>`;
  });
}

/** Rows and styles of a picture, each stored once. */
class Sheet {
  readonly #classes = new Map<string, string>();
  readonly #rows = new Map<string, string>();

  #classOf(css: string): string {
    const known = this.#classes.get(css) ?? `c${this.#classes.size}`;
    this.#classes.set(css, known);
    return known;
  }

  #run(run: Run): string {
    const x = run.column * cell.width;
    const [first = ''] = run.text;
    if (isShape(first)) {
      const shape = shapeOf(first, x, run.width, cell);
      const css = shape?.isLine === true ? `fill:none;stroke:${run.front}` : `fill:${run.front}`;
      return `<path class="${this.#classOf(css)}" d="${shape?.path ?? ''}"/>`;
    }
    if (run.text === '') return '';
    const css = [
      `fill:${run.front}`,
      ...(run.isBold ? ['font-weight:700'] : []),
      ...(run.isItalic ? ['font-style:italic'] : []),
      ...(run.isUnderlined ? ['text-decoration:underline'] : []),
    ];
    // Whatever the width of the reader's font, the text ends where its cells end. Trailing blanks were cut.
    const length = (run.width === 2 ? 2 : run.text.length) * cell.width;
    const fits = run.width > 1 ? ` textLength="${short(length)}" lengthAdjust="spacingAndGlyphs"` : '';
    const name = css.join(';') === `fill:${foreground}` ? '' : ` class="${this.#classOf(css.join(';'))}"`;
    return `<text x="${short(x)}"${name}${fits}>${escaped(run.text)}</text>`;
  }

  /** The reference to a row; nothing for an empty one. */
  row(runs: readonly Run[], y: number): string {
    const markup = [...backgroundsOf(runs), ...runs.map((run) => this.#run(run))].join('');
    if (markup === '') return '';
    const id = this.#rows.get(markup) ?? `r${this.#rows.size}`;
    this.#rows.set(markup, id);
    return `<use href="#${id}" y="${short(y)}"/>`;
  }

  definitions(): string {
    const rows = [...this.#rows].map(([markup, id]) => `<g id="${id}">${markup}</g>`);
    return `<defs>${rows.join('\n')}</defs>`;
  }

  styles(): string {
    const own = [...this.#classes].map(([css, name]) => `.${name}{${css}}`);
    const text = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${foreground};white-space:pre}`;
    return [text, ...own].join('\n');
  }
}

/** When each frame begins, as a share of the whole, and where it is in the strip. */
function animation(frames: readonly Frame[], height: number, still: number): string {
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0);
  let beganMs = 0;
  const steps = frames.map(({ ms }, index) => {
    const step = `${short((beganMs / totalMs) * 100)}%{transform:translateY(${-index * height}px)}`;
    beganMs += ms;
    return step;
  });
  // Without animation, as for a reader who wants less motion, it is a still picture.
  return `.strip{transform:translateY(${-still * height}px);animation:play ${short(totalMs / 1000)}s step-end infinite}
@media (prefers-reduced-motion:reduce){.strip{animation:none}}
@keyframes play{${steps.join('')}}`;
}

interface Picture {
  columns: number;
  rows: number;
  /** For readers who cannot see it. */
  title: string;
  frames: readonly Frame[];
  /** Index of the frame that a still picture shows. */
  still?: number;
}

/** One frame is a still picture; several play in a loop, without a script. */
export function svgOf({ columns, rows, title, frames, still = 0 }: Picture): string {
  const [width, height] = [columns * cell.width, rows * cell.height];
  const sheet = new Sheet();
  const strip = frames.map(({ screen }, index) =>
    screen.map((runs, row) => sheet.row(runs, index * height + row * cell.height + cell.baseline)).join(''),
  );
  const play = frames.length > 1 ? animation(frames, height, still) : '';
  const [outerWidth, outerHeight] = [Math.ceil(width + 2 * margin), height + 2 * margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${outerWidth}" height="${outerHeight}" viewBox="0 0 ${outerWidth} ${outerHeight}" role="img">
<title>${escaped(title)}</title>
<style>
${sheet.styles()}
${play}
</style>
${sheet.definitions()}
<rect width="100%" height="100%" rx="8" fill="${background}"/>
<svg x="${margin}" y="${margin}" width="${short(width)}" height="${height}"><g class="strip">
${strip.join('\n')}
</g></svg>
</svg>
`;
}
