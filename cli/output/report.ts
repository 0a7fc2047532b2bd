import { inspect } from 'node:util';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { TomlFileError } from '../files/toml-file.ts';
import type { Io } from '../command-line/io.ts';
import { safeJson, safeText } from './safe.ts';

interface Reporting {
  json: boolean;
  debug: boolean;
  /** The next step after an error that names none. */
  hintFor: (error: CliError) => string;
}

/**
 * Reports a failure on stderr, the most useful line last; returns the exit code. With `json`, stdout gets the API's
 * envelope, or one of the same form for a local failure.
 */
export function report(error: unknown, io: Io, { json, debug, hintFor }: Reporting): number {
  const known = asCliError(error);
  if (json) {
    const raw = known.raw?.toString('utf8') ?? JSON.stringify({ error: { code: known.code, message: known.message } });
    io.out.write(`${io.out.tty ? safeJson(raw) : raw}\n`);
  }
  if (debug || isBug(error)) io.note(safeText(inspect(error)));
  if (known.requestId !== undefined) io.note(io.err.paint(safeText(`request ID ${known.requestId}`), 'quiet'));
  io.note(`${io.err.paint('Error:', 'bad')} ${safeText(known.message)}`);
  io.note(`  ${safeText(known.hint ?? hintFor(known))}`);
  return known.exit;
}

const isBug = (error: unknown) => !(error instanceof CliError) && !(error instanceof TomlFileError);

function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof TomlFileError)
    return new CliError(error.message, { code: 'bad_request', hint: error.hint, cause: error });
  return new CliError(`the client failed: ${error instanceof Error ? error.message : String(error)}`, {
    code: 'internal_server_error',
    exit: exitCode.error,
    hint: 'This is a bug of the client. Report it with the lines above.',
    cause: error,
  });
}
