import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';

/** One event, so many seconds after the start. */
interface CastEvent {
  seconds: number;
  code: string; // `o` output, `r` resize; expect others
  text: string;
}

export interface Cast {
  width: number;
  height: number;
  events: CastEvent[];
}

/** Reads asciicast version 2. @throws CliError for anything else */
export function readCast(file: string): Cast {
  const [first = '', ...lines] = file.split('\n');
  const header = read(first) as { version?: unknown; width?: unknown; height?: unknown } | undefined;
  if (header?.version !== 2)
    throw new CliError('the recording is not asciicast version 2', {
      exit: exitCode.error,
      hint: 'Download it with: cli sessions download <id>',
    });
  const events = lines.flatMap((line) => {
    const event = read(line);
    if (!Array.isArray(event)) return []; // truncated end
    const [seconds, code, text] = event as unknown[];
    return typeof seconds === 'number' && typeof code === 'string' && typeof text === 'string'
      ? [{ seconds, code, text }]
      : [];
  });
  return { width: Number(header.width), height: Number(header.height), events };
}

function read(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
