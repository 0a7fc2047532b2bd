import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mask, unmask } from '../../../cli/transport/frame-mask.ts';

const bytes = (length: { minLength: number; maxLength: number }) =>
  fc.uint8Array(length).map((array) => Buffer.from(array));

test('a mask is laid byte by byte, wherever in memory the bytes lie', () => {
  const source = bytes({ minLength: 0, maxLength: 100 });
  const key = bytes({ minLength: 4, maxLength: 4 });
  const place = fc.nat(7);
  fc.assert(
    fc.property(source, key, place, place, (plain, fourBytes, from, to) => {
      const masked = plain.map((byte, index) => byte ^ (fourBytes[index % 4] ?? 0));
      const memory = Buffer.alloc(from + plain.length);
      plain.copy(memory, from);
      const output = Buffer.alloc(to + plain.length + 3, 0xaa);
      mask(memory.subarray(from), fourBytes, output, to, plain.length);
      expect(output.subarray(to, to + plain.length)).toEqual(Buffer.from(masked));
      expect(output.subarray(0, to).every((byte) => byte === 0xaa)).toBe(true);
      expect(output.subarray(to + plain.length)).toEqual(Buffer.alloc(3, 0xaa));
      unmask(output.subarray(to, to + plain.length), fourBytes);
      expect(output.subarray(to, to + plain.length)).toEqual(plain);
      const inPlace = memory.subarray(from);
      mask(inPlace, fourBytes, inPlace, 0, plain.length);
      expect(inPlace).toEqual(Buffer.from(masked));
    }),
  );
});

test.each(['cli/agent.code.js', 'cli/ros-graphs.js', 'cli/link-socket.js', 'agent.mjs'])(
  'it is what WebSockets use in dist/%s',
  async (name) => {
    const built = await readFile(new URL(`../../../dist/${name}`, import.meta.url), 'utf8');
    expect(built).toContain('new Uint32Array(');
    expect(built).not.toContain('require("bufferutil")');
  },
);
