import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { encode } from 'jpeg-js';
import { expect, test } from 'vitest';
import { testPicture } from '../../../../cli/agent/camera/test-pattern.ts';
import { readEnvironment } from '../../../../cli/command-line/config.ts';
import { dotsOf } from '../../../../cli/live/camera/decode.ts';
import { decoderThread } from '../../../../cli/live/camera/decoder-thread.ts';
import { itermPicture, kittyPicture } from '../../../../cli/live/camera/graphics.ts';
import { halfBlocks, letters } from '../../../../cli/live/camera/half-blocks.ts';
import { pictureMeter } from '../../../../cli/live/camera/meter.ts';
import { refusalOf, sizeOfPicture } from '../../../../cli/live/camera/picture-size.ts';

const picture = testPicture({ width: 64, height: 48 }, new Date(0));

/** One colour, as JPEG. */
const plain = (width: number, height: number, [red, green, blue]: readonly [number, number, number]) =>
  encode({ width, height, data: Buffer.alloc(width * height * 4, Buffer.from([red, green, blue, 255])) }, 95).data;

/** Says that it is of that size, and is not. */
function bomb(width: number, height: number): Buffer {
  const bytes = Buffer.from(picture);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

test('the size of a picture is read from its head', () => {
  expect(sizeOfPicture(picture)).toEqual({ width: 64, height: 48 });
  expect(sizeOfPicture(bomb(65_535, 65_535))).toEqual({ width: 65_535, height: 65_535 });
  expect(sizeOfPicture(Buffer.from('<html>'))).toBeUndefined();
  expect(sizeOfPicture(picture.subarray(0, 30))).toBeUndefined();
});

test.each([
  ['65535 × 65535 dots', bomb(65_535, 65_535), 'it is too large, 65535 × 65535'],
  ['one dot too many', bomb(4_097, 16), 'it is too large, 4097 × 16'],
  ['no dots', bomb(0, 0), 'it is not a JPEG'],
  ['4 MiB and one byte', Buffer.concat([picture, Buffer.alloc(4 * 1024 * 1024)]), /^it has \d+ bytes$/],
  ['text', Buffer.from('hello'), 'it is not a JPEG'],
])('a picture of %s is not begun with', (_, bytes, why) => {
  expect(refusalOf(bytes)).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
  expect(() => dotsOf(bytes, 80, 48)).toThrow();
});

test('a picture keeps its shape in the dots that there are, and its colours', () => {
  expect(dotsOf(picture, 80, 46)).toMatchObject({ width: 61, height: 46 });
  expect(dotsOf(plain(100, 10, [1, 2, 3]), 50, 50)).toMatchObject({ width: 50, height: 5 });
  expect(dotsOf(plain(10, 100, [1, 2, 3]), 50, 50)).toMatchObject({ width: 5, height: 50 });
  expect(dotsOf(plain(1_000, 8, [1, 2, 3]), 50, 50)).toMatchObject({ width: 50, height: 1 });
  const { rgb } = dotsOf(plain(33, 21, [200, 100, 50]), 20, 20);
  for (const [at, value] of [200, 100, 50].entries()) expect(Math.abs((rgb[at] ?? 0) - value)).toBeLessThan(4);
});

test('half blocks show two rows in a line, and tell a colour when it changes', () => {
  const dots = {
    width: 2,
    height: 3,
    rgb: Uint8Array.from([1, 2, 3, 1, 2, 3, 4, 5, 6, 9, 9, 9, 255, 0, 0, 255, 0, 0]),
  };
  expect(halfBlocks(dots, true)).toEqual([
    '\u001b[38;2;1;2;3m\u001b[48;2;4;5;6m▀\u001b[48;2;9;9;9m▀\u001b[0m',
    '\u001b[38;2;255;0;0m\u001b[48;2;0;0;0m▀▀\u001b[0m',
  ]);
  expect(halfBlocks(dots, false)[1]).toBe('\u001b[38;5;196m\u001b[48;5;16m▀▀\u001b[0m');
  expect(
    letters({
      width: 3,
      height: 2,
      rgb: Uint8Array.from([0, 0, 0, 128, 128, 128, 255, 255, 255, 0, 0, 0, 128, 128, 128, 255, 255, 255]),
    }),
  ).toEqual([' =@']);
});

test('kitty gets the dots in pieces that it takes, and iTerm2 the picture as it is', () => {
  const dots = dotsOf(picture, 64, 48);
  const text = kittyPicture({ ...dots, rgb: randomBytes(dots.rgb.length) }, 8, 3);
  const pieces = [...text.matchAll(/\u001b_G([^;]*);([^\u001b]*)\u001b\\/g)];
  expect(pieces.map(([whole]) => whole).join('')).toBe(text);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.every(([, , data = '']) => data.length <= 4_096)).toBe(true);
  expect(pieces[0]?.[1]).toBe('a=T,f=24,o=z,s=64,v=48,c=8,r=3,i=1,p=1,q=2,C=1,m=1');
  expect(pieces.slice(1).map(([, head]) => head)).toEqual([...pieces.slice(2).map(() => 'm=1'), 'm=0']);
  expect(inflateSync(Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64'))).toHaveLength(64 * 48 * 3);
  const [, size, data] = /size=(\d+);.*:([A-Za-z0-9+/=]+)\u0007$/.exec(itermPicture(picture, 8, 3)) ?? [];
  expect([Number(size), Buffer.from(data ?? '', 'base64')]).toEqual([picture.length, picture]);
});

test.each([
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, 'kitty'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'iterm'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, 'iterm'],
  [{ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1', TMUX: '/tmp/x' }, undefined],
  [{ TERM: 'screen-256color', TERM_PROGRAM: 'iTerm.app' }, undefined],
  [{ TERM: 'xterm-256color' }, undefined],
])('a terminal of %j draws pictures as %s', (env, graphics) => {
  expect(readEnvironment(env).graphics).toBe(graphics);
});

test('the figures are those of the last three seconds', () => {
  let nowMs = 1_000;
  const meter = pictureMeter(() => nowMs);
  expect(meter.read()).toEqual({ perSecond: 0, bytesPerSecond: 0, ageSeconds: undefined });
  for (let count = 0; count < 20; count += 1) {
    meter.count(1_000);
    nowMs += 500;
  }
  expect(meter.read()).toEqual({ perSecond: 5 / 3, bytesPerSecond: 5_000 / 3, ageSeconds: 0.5 });
});

test('the thread decodes, says why it cannot, and is there for the next picture', async () => {
  const decoder = decoderThread(() =>
    readFileSync(new URL('../../../../dist/cli/decoder.js', import.meta.url), 'utf8'),
  );
  const task = { columns: 20, rows: 10 };
  expect(await decoder.decode({ jpeg: picture, ...task })).toMatchObject({ width: 13, height: 10 });
  const half = Buffer.from(picture.subarray(0, picture.length / 2));
  half.fill(0xff, half.length - 100);
  await decoder.decode({ jpeg: Buffer.concat([half, Buffer.from([0xff, 0xc0])]), ...task }).catch(() => undefined);
  await expect(decoder.decode({ jpeg: bomb(60_000, 60_000), ...task })).rejects.toThrow('it is too large');
  await expect(decoder.decode({ jpeg: Buffer.from('none'), ...task })).rejects.toThrow('it is not a JPEG');
  expect(await decoder.decode({ jpeg: picture, ...task })).toMatchObject({ width: 13, height: 10 });
  decoder.end();
});
