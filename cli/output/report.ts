import { inspect } from 'node:util';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { TomlFileError } from '../files/toml-file.ts';
import type { Io } from '../command-line/io.ts';
import { safeJson, safeText } from './safe.ts';

/**
 * Reports a failure on stderr, the most useful line last; returns the exit code. With `json`, stdout gets the API's
 * envelope, or one of the same form for a local failure.
 */
export function report(error: unknown, io: Io, { json, debug }: { json: boolean; debug: boolean }): number {
  const known = asCliError(error);
  if (json) {
    const raw = known.raw?.toString('utf8') ?? JSON.stringify({ error: { code: known.code, message: known.message } });
    io.out.write(`${io.out.tty ? safeJson(raw) : raw}\n`);
  }
  if (debug || isBug(error)) io.note(safeText(inspect(error)));
  if (known.requestId !== undefined) io.note(io.err.paint(safeText(`request id ${known.requestId}`), 'quiet'));
  io.note(`${io.err.paint('Error:', 'bad')} ${safeText(known.message)}`);
  if (known.hint !== undefined) io.note(`  ${safeText(known.hint)}`);
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
    hint: 'This is a fault of the client. Please report it with the lines above.',
    cause: error,
  });
}
