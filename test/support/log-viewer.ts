import { WebSocket } from 'ws';
import { frameCheck } from './frame-check.ts';

const check = frameCheck('sendLogs');

/** A viewer of a robot's logs over a socket, without the client. */
export interface LogViewer extends Disposable {
  socket: WebSocket;
  records: { seq: number; message: string; type?: string; dropped?: number; from_seq?: number; to_seq?: number }[];
  messages(): string[];
  closed: Promise<{ code: number; reason: string }>;
}

/** Rejects with the status and body of a refusal. */
export async function viewLogs(url: string, robotId: string, token: string, query = ''): Promise<LogViewer> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/robots/${robotId}/logs/ws?${query}`, {
    headers: { Authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const records: LogViewer['records'] = [];
  socket.on('message', (data: Buffer) => {
    records.push(check(data.toString()) as LogViewer['records'][number]);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => {
        reject(
          new Error(`${response.statusCode} ${(JSON.parse(body) as { error: { message: string } }).error.message}`),
        );
        socket.terminate();
      });
    });
  });
  return {
    socket,
    records,
    messages: () => records.map(({ message }) => message),
    closed,
    [Symbol.dispose]: () => socket.terminate(),
  };
}
