import { baseUrl, pathOf, type SampleCall } from './call.ts';

export function curlSample(call: SampleCall): string {
  const method =
    call.method === 'HEAD'
      ? ['--head']
      : call.method === 'GET' || (call.method === 'POST' && call.body !== undefined) || call.upload !== undefined
        ? [] // what curl does by itself
        : [`-X ${call.method}`];
  const lines = [
    ['curl', ...method, quoted(`${baseUrl}${pathOf(call)}`)].join(' '),
    `-H "Authorization: Bearer $${call.token}"`,
    ...(call.takesKey ? ['-H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)"'] : []),
    ...(call.body === undefined ? [] : [`--json ${quoted(JSON.stringify(call.body))}`]),
    ...(call.upload === undefined
      ? []
      : ['-H "Content-Type: application/octet-stream"', `--upload-file ${call.upload}`]),
    ...(call.download === undefined ? [] : [`-o ${call.download}`]),
  ];
  return lines.join(' \\\n  ');
}

/** A word of a shell: bare where that is the same. */
export const quoted = (text: string) =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
