import { expect, test } from 'vitest';
import { multipartPictures } from '../../../../cli/agent/camera/multipart.ts';
import { pictureSplitter } from '../../../../cli/agent/camera/split.ts';
import { testPicture } from '../../../../cli/agent/camera/test-pattern.ts';
import { wholeJpeg } from '../../../../cli/agent/camera/jpeg-scanner.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 9, 0, second));
const plain = [1, 2, 3].map((second) => testPicture({ width: 64, height: 48 }, at(second)));
const [first = Buffer.of(), second = Buffer.of()] = plain;

/** With a thumbnail in a segment before the rest, as cameras write it, whose end is not that of the picture. */
function withThumbnail(picture: Buffer): Buffer {
  const thumbnail = testPicture({ width: 16, height: 16 }, at(9));
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(thumbnail.length + 2, 2);
  return Buffer.concat([picture.subarray(0, 2), head, thumbnail, picture.subarray(2)]);
}

/** What came of the bytes, given in pieces of that size. */
function splitIn(bytes: Buffer, pieceBytes: number, make: typeof pictureSplitter = pictureSplitter) {
  const pictures: Buffer[] = [];
  const told: string[] = [];
  const push = make({
    picture: (jpeg) => void pictures.push(jpeg),
    broken: () => void told.push('broken'),
    failed: (reason) => void told.push(reason),
  });
  for (let from = 0; from < bytes.length && told.length < 100; from += pieceBytes)
    push(bytes.subarray(from, from + pieceBytes));
  return { pictures, told };
}

const inParts =
  (boundary: string): typeof pictureSplitter =>
  (on) =>
    multipartPictures(boundary, on);

test.each([1, 7, 1000, 1_000_000])('a stream of pictures is cut into them, in pieces of %d bytes', (pieceBytes) => {
  const all = [...plain, withThumbnail(first), second];
  expect(splitIn(Buffer.concat(all), pieceBytes)).toEqual({ pictures: all, told: [] });
});

test('what stands between pictures is passed over, and half a picture costs no other one', () => {
  const half = first.subarray(0, first.length / 2);
  const junk = Buffer.from('no picture \xff\xd8 at all', 'latin1');
  const { pictures, told } = splitIn(Buffer.concat([junk, half, second, junk, first]), 50);
  expect(pictures).toEqual([second, first]);
  expect(told).toEqual(['broken']);
});

test('a picture that does not end is given up before it fills the memory', () => {
  const endless = Buffer.concat([first.subarray(0, -2), Buffer.alloc(100_000_000, 7)]);
  const before = process.memoryUsage().arrayBuffers;
  const pictures: Buffer[] = [];
  let reason = '';
  const push = pictureSplitter({
    picture: (jpeg) => void pictures.push(jpeg),
    broken: () => undefined,
    failed: (why) => (reason ||= why),
  });
  for (let from = 0; reason === ''; from += 65_536) push(endless.subarray(from, from + 65_536));
  expect(reason).toMatch(/^its pictures are too large: 9\d\d KiB or more, at most 896 KiB/);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
});

test('a whole picture is known from one that lacks its end, and loses what was put behind it', () => {
  expect(wholeJpeg(Buffer.concat([first, Buffer.alloc(20)]))).toEqual(first);
  expect(wholeJpeg(first.subarray(0, -1))).toBeUndefined();
  expect(wholeJpeg(withThumbnail(first).subarray(0, -30))).toBeUndefined();
  expect(wholeJpeg(Buffer.from('<html>'))).toBeUndefined();
});

const part = (boundary: string, picture: Buffer, headers = `Content-Length: ${picture.length}\r\n`) =>
  Buffer.concat([
    Buffer.from(`${boundary}\r\nContent-Type: image/jpeg\r\n${headers}\r\n`),
    picture,
    Buffer.from('\r\n'),
  ]);

test.each([
  ['named as it is sent', 'frame', '--frame'],
  ['named with its dashes', '--frame', '--frame'],
  ['named with dashes and sent with more', '--frame', '----frame'],
])('parts are cut by their length, with a boundary %s', (_, named, sent) => {
  const stream = Buffer.concat(plain.map((picture) => part(sent, picture)));
  for (const pieceBytes of [1, 13, 100_000])
    expect(splitIn(stream, pieceBytes, inParts(named))).toEqual({ pictures: plain, told: [] });
});

test('parts without a length are cut by what is in them', () => {
  const all = [first, withThumbnail(second)];
  const stream = Buffer.concat(all.map((picture) => part('--frame', picture, '')));
  for (const pieceBytes of [1, 100_000])
    expect(splitIn(stream, pieceBytes, inParts('frame'))).toEqual({ pictures: all, told: [] });
});

test('a length that is not true costs the pictures around it, and no more', () => {
  const short = part('--frame', first, 'Content-Length: 100\r\n');
  const long = part('--frame', first, `Content-Length: ${first.length + 200}\r\n`);
  const good = plain.map((picture) => part('--frame', picture));
  const { pictures, told } = splitIn(Buffer.concat([short, ...good, long, ...good]), 64, inParts('frame'));
  expect(pictures.slice(0, 3)).toEqual(plain);
  expect(pictures.slice(-2)).toEqual(plain.slice(-2));
  expect(told.filter((what) => what !== 'broken')).toEqual([]);
});

test.each([
  [
    'a part of 100 MB',
    part('--frame', first, 'Content-Length: 100000000\r\n'),
    /^its pictures are too large: 97657 KiB/,
  ],
  ['headers without an end', Buffer.from(`--frame\r\n${'X-A: b\r\n'.repeat(2_000)}`), /headers .* do not end/],
  ['another thing', Buffer.alloc(3_000_000, 'movie'), /no pictures/],
  ['an end', Buffer.from('--frame--\r\n'), /it ended the stream/],
])('%s in place of pictures fails, once', (_, stream, reason) => {
  const { pictures, told } = splitIn(stream, 1_000, inParts('frame'));
  expect(pictures).toEqual([]);
  expect(told).toEqual([expect.stringMatching(reason)]);
});
