import { existsSync, readFileSync } from 'node:fs';
import { shellAgentFrames, type ShellAgentFrame } from '../../../generated/shell.js';
import type { Check } from '../check.ts';
import type { DialBack } from '../dial-backs.ts';
import { assertRule, shown } from '../rule.ts';
import { parsed } from '../served-link.ts';
import { dialledBack } from './dialled-back.ts';

/** @throws BrokenRule when a frame violates the protocol */
const framesOf = (stream: DialBack): ShellAgentFrame[] =>
  stream.frames.flatMap((frame) => (typeof frame === 'string' ? [read(frame)] : []));

function read(text: string): ShellAgentFrame {
  const frame = parsed(text);
  assertRule(frame !== undefined, `a text frame is not JSON with a type: ${shown(text)}`);
  assertRule(isKnown(frame), `a frame has a type that is not known: ${shown(text)}`);
  const validate = shellAgentFrames[frame.type];
  // A boolean, so that it does not narrow the type: an invalid frame is reported.
  const isWhole: boolean = validate(frame);
  assertRule(isWhole, `a frame is not by its schema: ${shown(text)}`);
  return frame;
}

const isKnown = (frame: { type: string }): frame is ShellAgentFrame => Object.hasOwn(shellAgentFrames, frame.type);

export const shellChecks: readonly Check[] = [
  {
    name: 'unsupported',
    rule: 'A stream of a kind that it does not know is refused as unsupported',
    async run(scene) {
      await scene.linked('shell');
      const session = scene.service.streams.ask('hologram', { parameters: {} });
      const refused = await scene.until(() => session.refused, 'nothing came');
      assertRule(refused.reason === 'unsupported', `it said ${shown(refused)}`);
    },
  },
  {
    name: 'shell',
    rule: 'A shell of raw bytes: it dials back with the secret, passes input and output, and reports the exit code',
    async run(scene) {
      await scene.linked('shell');
      const stream = await dialledBack(scene, 'shell', { parameters: { cols: 100, rows: 30 } });
      stream.socket.send(Buffer.from('stty size; echo "con""formance"; exit 3\n'));
      await scene.until(
        () => stream.text().includes('conformance') && stream.text().includes('30 100'),
        'neither its size nor what it echoes was shown',
      );
      const closed = await scene.until(() => stream.closed, 'the socket stayed open after the end of the shell');
      assertRule(
        closed.code === 1000 && closed.reason === 'exit 3',
        `it was closed with ${closed.code} ${closed.reason}`,
      );
    },
  },
  {
    name: 'shell-frames',
    rule: 'A shell of fleet.shell.v1: ready follows start, resize takes effect, exit is last, with the code',
    async run(scene) {
      await scene.linked('shell');
      const stream = await dialledBack(scene, 'shell', {
        parameters: { cols: 80, rows: 24 },
        protocol: 'fleet.shell.v1',
      });
      const say = (frame: object) => stream.socket.send(JSON.stringify(frame));
      const came = (type: ShellAgentFrame['type']) => framesOf(stream).find((frame) => frame.type === type);
      say({ type: 'start', cols: 100, rows: 30, command: ['/bin/sh'] });
      await scene.until(() => came('ready'), 'ready did not come');
      say({ type: 'wave', hand: 'left' });
      say({ type: 'resize', cols: 132, rows: 43 });
      stream.socket.send(
        Buffer.from('until [ "$(stty size)" = "43 132" ]; do :; done; echo "con""formance"; exit 7\n'),
      );
      await scene.until(() => stream.text().includes('conformance'), 'the resize took no effect');
      const exit = await scene.until(() => came('exit'), 'exit did not come');
      assertRule(exit.type === 'exit' && exit.code === 7, `it said ${shown(exit)}`);
      assertRule(came('ack') !== undefined, 'what was typed was never acknowledged');
      await scene.until(() => stream.closed, 'the socket stayed open after exit');
    },
  },
  {
    name: 'shell-left',
    rule: 'A shell whose viewer leaves is ended',
    async run(scene) {
      await scene.linked('shell');
      const stream = await dialledBack(scene, 'shell', { parameters: { cols: 80, rows: 24 } });
      stream.socket.send(Buffer.from('echo "pid:"$$":"\n'));
      const pid = await scene.until(() => /pid:(\d+):/.exec(stream.text())?.[1], 'nothing was shown');
      stream.socket.close(1000);
      await scene.until(() => !isThere(Number(pid)), `its process ${pid} was still there`);
    },
  },
];

/** A zombie, which waits for its parent to reap it, counts as ended. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Without /proc, the two cannot be distinguished.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' && !existsSync('/proc');
  }
}
