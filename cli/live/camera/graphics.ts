import { deflateSync } from 'node:zlib';
import type { RgbImage } from './decode.ts';

/** Kitty's limit for one piece of a picture. */
const pieceLength = 4_096;

/** A picture in kitty's protocol, over so many cells; it replaces the previous one. */
export function kittyPicture({ width, height, rgb }: RgbImage, columns: number, rows: number): string {
  const data = deflateSync(rgb, { level: 1 }).toString('base64');
  const head = `a=T,f=24,o=z,s=${width},v=${height},c=${columns},r=${rows},i=1,p=1,q=2,C=1,`;
  let text = '';
  for (let at = 0; at < data.length; at += pieceLength) {
    const isLast = at + pieceLength >= data.length;
    text += `\u001b_G${at === 0 ? head : ''}m=${isLast ? 0 : 1};${data.slice(at, at + pieceLength)}\u001b\\`;
  }
  return text;
}

/** Removes the picture. */
export const noKittyPicture = '\u001b_Ga=d,d=A,q=2\u001b\\';

/** The same for iTerm2 and WezTerm, which decode JPEGs themselves. */
export const itermPicture = (jpeg: Buffer, columns: number, rows: number) =>
  `\u001b]1337;File=inline=1;size=${jpeg.length};width=${columns};height=${rows};preserveAspectRatio=1;doNotMoveCursor=1:${jpeg.toString('base64')}\u0007`;
