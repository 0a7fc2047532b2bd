import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { signedInHome, type Home } from '../../../support/cli.ts';
import { personAt } from '../../../support/shell-scene.ts';
import type { Tmux } from '../../../support/tmux.ts';
import { together } from '../../../support/together.ts';
import { until } from '../../../support/until.ts';

export const cameraRobot = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';

/** A fake service, for frames that the real one does not forward: it serves one robot's camera as the test decides. */
export interface CameraService extends AsyncDisposable {
  home: Home;
  /** Of all current viewers. */
  sockets: Set<WebSocket>;
  person(env?: Record<string, string>): Promise<Tmux>;
  /** Sends to all viewers; waits for the first. */
  send(data: Buffer | string): Promise<void>;
  /** Closes the streams of all viewers. */
  close(code: number, reason: string): Promise<void>;
}

export const startCameraService = (): Promise<CameraService> =>
  together(async (own) => {
    const server: Server & Partial<AsyncDisposable> = createServer((_request, response) =>
      response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ data: { id: cameraRobot, name: 'amr-\u001b[31m007', cameras: ['front'] } })),
    ).listen(0, '127.0.0.1');
    const streams = new WebSocketServer({ server, perMessageDeflate: false });
    const sockets = new Set<WebSocket>();
    streams.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await once(server, 'listening');
    own({
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.terminate();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const home = own(await signedInHome({ url, orgToken: 'svc_org_x', adminToken: 'x' }));
    return {
      home,
      sockets,
      person: (env = {}) => personAt(home, url, { SERVICE_TOKEN: 'svc_org_x', TERM: 'xterm-256color', ...env }),
      async send(data: Buffer | string) {
        await until(() => sockets.size > 0);
        for (const socket of sockets) socket.send(data);
      },
      async close(code: number, reason: string) {
        await until(() => sockets.size > 0);
        for (const socket of sockets) socket.close(code, reason);
      },
    };
  });
