import type { Invocation } from '../command-line/command-spec.ts';
import { messageOf, send, type HttpCall, type HttpReply } from '../transport/http.ts';

interface Traced {
  method: string;
  url: URL;
}

interface Outcome {
  status: number;
  requestId: string | string[] | undefined;
}

/** Query parameters that are credentials, or open something; `state` and `code` are those of a sign-in. */
const secretNames = /token|secret|ticket|password|signature|credential|verifier|^(code|state)$/i;

/** Runs one request; with `--debug` prints its method, URL, outcome, request ID and duration on stderr. */
export async function traced<T>(
  call: Invocation,
  request: Traced,
  run: () => Promise<T>,
  outcomeOf: (result: T) => Outcome,
): Promise<T> {
  if (!isTracing(call)) return run();
  const startedMs = performance.now();
  const print = (outcome: string, more = '') => {
    const ms = Math.round(performance.now() - startedMs);
    const text = `debug: ${request.method} ${withoutSecrets(request.url)}: ${outcome} in ${ms} ms${more}`;
    const line = text.replace(/[^ -~]/g, '?'); // the header and the reason come from another machine
    // The cursor may be on a progress line.
    call.io.note(call.io.err.tty && !call.environment.dumb ? `\r\u001b[K${line}` : line);
  };
  try {
    const result = await run();
    const { status, requestId } = outcomeOf(result);
    print(String(status), requestId === undefined ? '' : `, request ID ${String(requestId)}`);
    return result;
  } catch (error) {
    print(`no response (${messageOf(error)})`);
    throw error;
  }
}

export const tracedSend = (call: Invocation) => (request: HttpCall) =>
  traced(call, request, () => send(request), outcomeOfReply);

const outcomeOfReply = ({ status, headers }: HttpReply): Outcome => ({ status, requestId: headers['x-request-id'] });

/** The interface draws on the whole terminal: its lines appear only in a file, as with `2> debug.log`. */
const isTracing = ({ flags, command, io }: Invocation) =>
  flags.has('debug') && flags.on('debug') && !(command.path === 'ui' && io.err.tty);

function withoutSecrets(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  for (const name of new Set(shown.searchParams.keys()))
    if (secretNames.test(name)) shown.searchParams.set(name, '***');
  return shown.href;
}
