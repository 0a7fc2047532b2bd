import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tempDir } from '../../support/temp-dir.ts';
import { startUiScreen } from '../../support/ui-screen.ts';
import { built } from '../harness/built.ts';
import { timeNode } from '../harness/child.ts';
import { fastestOf, pair } from '../harness/pairing.ts';
import { ratioLine, type Row } from '../harness/row.ts';
import { startsPerSample } from './c1-client-start.ts';

const goalMs = 400;

/** Spawn to the first frame on the terminal, while the service has not answered anything yet. */
export const firstFrameRow: Row = {
  id: 'C3',
  work: 'cli ui to its first frame, before the service answers',
  against: 'a limit; node -e 0',
  async run(context) {
    const script = built('dist/cli/main.js');
    await using home = await tempDir();
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const env = { HOME: home.path, SERVICE_TOKEN: `svc_user_${'0'.repeat(64)}` };

    async function start(): Promise<number> {
      const beganMs = performance.now();
      using screen = startUiScreen([process.execPath, script, 'ui', '--base-url', url], {
        columns: 200,
        rows: 50,
        env,
      });
      await screen.writes('\u001b[?2026h');
      const tookMs = performance.now() - beganMs;
      screen.type('q');
      await screen.ended;
      return tookMs;
    }

    try {
      const line = ratioLine(
        'ms to the first frame',
        await pair({
          rounds: context.rounds(9),
          ours: fastestOf(startsPerSample, start),
          peer: fastestOf(startsPerSample, () => timeNode(['-e', '0'])),
        }),
      );
      return [{ ...line, goal: { of: 'ours', is: 'at most', bound: goalMs } }];
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    }
  },
};
