import type { Environment } from '../../command-line/config.ts';
import type { decoderThread } from './decoder-thread.ts';
import { itermPicture, kittyPicture, noKittyPicture } from './graphics.ts';
import { halfBlocks, letters } from './half-blocks.ts';
import { refusalOf } from './picture-size.ts';

/** How pictures are drawn on the terminal. */
interface PictureRenderer {
  /**
   * The output that draws the picture at the top left of the screen, within so many cells. Rejects with Error if it
   * cannot be shown.
   */
  draw(jpeg: Buffer, columns: number, rows: number): Promise<string>;
  /** Removes the picture, in addition to clearing the screen. */
  undo: string;
}

/** Pixels per cell, for terminals with graphics; they scale the picture themselves. */
const cellDots = { width: 8, height: 16 };

/** The best method that the terminal is known to support: half blocks if none is known, letters without colours. */
export function pictureRendererOf(
  { colour, graphics, hasAllColours }: Pick<Environment, 'colour' | 'graphics' | 'hasAllColours'>,
  { decode }: Pick<ReturnType<typeof decoderThread>, 'decode'>,
): PictureRenderer {
  if (colour === false || graphics === undefined)
    return {
      undo: '',
      async draw(jpeg, columns, rows) {
        const dots = await decode({ jpeg, columns, rows: rows * 2 });
        const lines = colour === false ? letters(dots) : halfBlocks(dots, hasAllColours);
        const blank = Array.from({ length: rows - lines.length }, () => '');
        return [...lines, ...blank].map((line, row) => `\u001b[${row + 1};1H${line}\u001b[K`).join('');
      },
    };
  if (graphics === 'kitty')
    return {
      undo: noKittyPicture,
      async draw(jpeg, columns, rows) {
        const { width, height } = cellDots;
        const dots = await decode({ jpeg, columns: columns * width, rows: rows * height });
        const cells = [Math.ceil(dots.width / width), Math.ceil(dots.height / height)] as const;
        return `\u001b[1;1H${kittyPicture(dots, ...cells)}`;
      },
    };
  return {
    undo: '',
    async draw(jpeg, columns, rows) {
      const why = refusalOf(jpeg);
      if (why !== undefined) throw new Error(why);
      return `\u001b[1;1H${itermPicture(jpeg, columns, rows)}`;
    },
  };
}
