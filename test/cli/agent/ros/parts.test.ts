import { expect, test } from 'vitest';
import { masterAddress, rosAddress } from '../../../../cli/agent/ros/address.ts';
import { messageText } from '../../../../cli/agent/ros/json.ts';
import { pace } from '../../../../cli/agent/ros/pace.ts';
import { exactJson, restoreBy } from '../../../../cli/agent/ros/rosbridge-json.ts';

const text = (message: unknown, maxBytes = 256 * 1024) => {
  const { json, isCut } = messageText(message, maxBytes);
  return { value: JSON.parse(json) as unknown, isCut };
};

test('numbers that JSON lacks are texts, and typed arrays are arrays', () => {
  const { value, isCut } = text({
    big: 18446744073709551615n,
    many: BigInt64Array.of(-9223372036854775808n, 1n),
    odd: [Number.NaN, Infinity, -Infinity, 0.5],
    floats: Float64Array.of(1.5, Number.NaN),
    few: Uint8Array.of(1, 2, 255),
    flag: true,
    ['__proto__']: 'kept',
  });
  expect(value).toEqual(
    JSON.parse(
      '{"big":"18446744073709551615","many":["-9223372036854775808","1"],"odd":["NaN","Infinity","-Infinity",0.5],' +
        '"floats":[1.5,"NaN"],"few":[1,2,255],"flag":true,"__proto__":"kept"}',
    ),
  );
  expect(isCut).toBe(false);
});

test('large arrays and bytes are cut where it can be seen', () => {
  expect(text({ ranges: new Float32Array(129) })).toEqual({
    value: { ranges: [...Array(128).fill(0), { $more: 1 }] },
    isCut: true,
  });
  expect(text({ ranges: new Float32Array(128) }).isCut).toBe(false);
  expect(text({ data: new Uint8Array(16_877) })).toEqual({ value: { data: { $bytes: 16_877 } }, isCut: true });
  expect(text({ data: 'ä'.repeat(20_000) }).value).toEqual({ data: `${'ä'.repeat(16_384)}…` });
});

test('a message is never larger than it may be, whatever it is', () => {
  const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x'.repeat(16_000)]));
  const deep = { a: Array.from({ length: 128 }, () => Array.from({ length: 128 }, () => Array(128).fill(1.234567))) };
  for (const message of [wide, deep, Array(128).fill(wide)]) {
    const { json, isCut } = messageText(message, 200_000);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(200_000);
    expect(isCut).toBe(true);
  }
  const manyFields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, index]));
  expect(text(manyFields, 10_000)).toEqual({ value: { $more: 1 }, isCut: true });
});

test('a rate lets so many through, evenly', () => {
  let now = 0;
  const rate = pace(5, () => now);
  const through = (untilMs: number) => {
    let count = 0;
    for (; now < untilMs; now += 11) if (rate.take()) count += 1;
    return count;
  };
  expect(through(1000)).toBe(5);
  expect(through(2000)).toBe(5);
  rate.set(null);
  expect(through(3000)).toBeGreaterThan(85);
  rate.set(0.1);
  expect(through(4000)).toBeLessThan(2);
  rate.set(50);
  expect(through(5000)).toBeGreaterThan(40);
});

test('integers of rosbridge are exact, and what Python writes for other numbers is read', () => {
  expect(
    exactJson(
      '{"a":9007199254740993,"b":-12345678901234567890,"c":0.1234567890123456789,"d":"9007199254740993, NaN","e":[NaN,-Infinity,1]}',
    ),
  ).toEqual({
    a: '9007199254740993',
    b: '-12345678901234567890',
    c: 0.1234567890123456789,
    d: '9007199254740993, NaN',
    e: ['NaN', '-Infinity', 1],
  });
  expect(() => exactJson('{"a":')).toThrow(SyntaxError);
  const long = 'NaN'.padEnd(12_000_000, 'x');
  expect(exactJson(`{"data":"${long}"}`)).toEqual({ data: long });
});

test('bytes and 64-bit integers of rosbridge are those of the type', () => {
  const restore = restoreBy([
    {
      type: 'a/B',
      fieldnames: ['data', 'name', 'count', 'inner'],
      fieldtypes: ['uint8', 'string', 'int64', 'a/C'],
      fieldarraylen: [0, -1, -1, 0],
    },
    { type: 'a/C', fieldnames: ['id'], fieldtypes: ['uint64'], fieldarraylen: [-1] },
  ]);
  expect(
    restore({ data: '/9j/2Q==', name: '/9j/2Q==', count: '9007199254740993', inner: [{ id: 1 }], more: 1 }),
  ).toEqual({
    data: Uint8Array.of(255, 216, 255, 217),
    name: '/9j/2Q==',
    count: 9007199254740993n,
    inner: [{ id: 1n }],
    more: 1,
  });
});

test('addresses have their ports, and are shown without a password', () => {
  expect(rosAddress('ros1://robot')).toEqual({
    url: 'ros1://robot:11311',
    kind: 'ros1',
    master: { host: 'robot', port: 11_311 },
  });
  expect(rosAddress('ros1://[::1]:80')).toMatchObject({ url: 'ros1://[::1]:80', master: { host: '::1', port: 80 } });
  expect(rosAddress('foxglove://me:secret@robot/bridge?x=1')).toEqual({
    url: 'foxglove://robot:8765/bridge',
    kind: 'foxglove',
    socketUrl: 'ws://me:secret@robot:8765/bridge?x=1',
  });
  expect(rosAddress('rosbridge://10.0.0.9')).toMatchObject({ url: 'rosbridge://10.0.0.9:9090' });
  for (const wrong of ['http://robot', 'robot:11311', '', 'ros1://', 'ros2://robot', 'foxglove://:secret@'])
    expect(() => rosAddress(wrong)).toThrow(/^(?!.*secret)/);
  expect(masterAddress('http://localhost:11311')).toBe('ros1://localhost:11311');
  expect(masterAddress('http://localhost:11311/')).toBe('ros1://localhost:11311');
  for (const none of [undefined, '', 'nonsense', 'https://x']) expect(masterAddress(none)).toBeUndefined();
});
