import type { Catalog } from '../command-line/command-spec.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import type { CliError } from '../command-line/errors.ts';

/**
 * The next step after an error that names none: the state of the service, the connection, or the usage. `words` are
 * those of the command; empty if none was found.
 */
export function defaultHint({ code, exit }: CliError, catalog: Catalog, words: readonly string[]): string {
  const { name } = catalog.program;
  const list = catalog.find([...words.slice(0, -1), 'list']);
  if (exit === exitCode.conflict && list && list.path !== words.join(' '))
    return `Check the current state with: ${name} ${list.path}`;
  const isOfService = exit === exitCode.error && (code === 'http_error' || code === 'internal_server_error');
  if (isOfService && catalog.find(['doctor'])) return `Check the connection and the service with: ${name} doctor`;
  return `Show usage with: ${[name, 'help', ...words].join(' ')}`;
}
