import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { PublisherSocket } from '../../../../cli/agent/ros/ros1-socket.ts';
import { until } from '../../../support/until.ts';

const counted = (bytes: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const header = (type: string) =>
  counted(Buffer.concat(['callerid=/a', `type=${type}`, 'md5sum=12'].map((field) => counted(Buffer.from(field)))));

test('a publisher that comes back is read on without its header, and no more once its messages are others', async () => {
  const connections = [
    [header('std_msgs/String'), counted(Buffer.from('one'))],
    [header('std_msgs/String'), counted(Buffer.from('two'))],
    [header('std_msgs/Int32'), counted(Buffer.from('three'))],
  ];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(Buffer.concat(connections.shift() ?? []));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const filter = { wants: () => true, tooLarge: () => undefined };
  const publisher = new PublisherSocket({ host: '127.0.0.1', port }, filter);
  const heard: string[] = [];
  let closed = 0;
  publisher.on('data', (data: Uint8Array) => heard.push(Buffer.from(data).subarray(4).toString('latin1').slice(-5)));
  publisher.on('close', () => (closed += 1));
  for (const round of [1, 2, 3]) {
    await publisher.connect();
    await until(() => closed === round);
  }
  expect(heard).toEqual(['um=12', 'one', 'two']);
  await expect(publisher.connect()).rejects.toThrow('another type');
  server.close();
});
