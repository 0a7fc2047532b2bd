import type { NotSent } from '../command-line/dry-run.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { safeJson, safeText } from './safe.ts';

/** Prints the request that `--dry-run` kept back; as JSON, `body` keeps its digits. */
export function printNotSent({ method, path, body }: NotSent, { flags, io }: Invocation): void {
  const fields = `"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}`;
  const line = flags.on('json')
    ? safeJson(`{${fields}${body === undefined ? '' : `,"body":${body}`}}`)
    : safeText(`${method} ${path}${body === undefined ? '' : ` ${body}`}`);
  io.out.write(`${line}\n`);
  io.note('Dry run: nothing was sent.');
}
