/** How a shell was asked for. */
interface Opening {
  protocol: string | undefined; // undefined: raw bytes
  cols: number;
  rows: number;
}

/** The tags of `fleet.shell.v1` before the bytes of what runs without a terminal. */
const outputs = [1, 2];
const maxSide = 1_000;

/**
 * Turns what passes between a viewer and a robot into lines of asciicast, version 2: what is shown and the size of the window, never what is
 * typed. A character that is cut over two frames is written with the second; bytes that are no UTF-8 are written as U+FFFD.
 */
export function asciicast({ protocol, cols, rows }: Opening) {
  const beganAt = new Date();
  const beganMs = performance.now(); // the clock of the machine may be set meanwhile
  const decoders = new Map<number, InstanceType<typeof TextDecoder>>(); // each output is cut by itself
  let hasHeader = false;
  let isTagged = false;

  const event = (code: 'o' | 'r', text: string) =>
    `${JSON.stringify([Math.round(performance.now() - beganMs) / 1_000, code, text])}\n`;

  function header(width: number, height: number): string {
    hasHeader = true;
    return `${JSON.stringify({ version: 2, width, height, timestamp: Math.floor(beganAt.getTime() / 1_000) })}\n`;
  }

  function decode(output: number, bytes?: Buffer): string {
    const decoder = decoders.get(output) ?? new TextDecoder('utf-8', { ignoreBOM: true });
    decoders.set(output, decoder);
    const text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    // No terminal was there to begin lines at the left; one will be where it is played.
    return isTagged ? text.replace(/\r?\n/g, '\r\n') : text;
  }

  return {
    /** What a frame of the viewer adds to the recording; mostly nothing. */
    fromViewer(data: Buffer, isBinary: boolean): string {
      if (isBinary || protocol === undefined) return '';
      const frame = readFrame(data);
      if (frame?.['type'] === 'start' && !hasHeader) {
        isTagged = frame['tty'] === false;
        return header(sideOf(frame['cols']) ?? 80, sideOf(frame['rows']) ?? 24);
      }
      const [width, height] = [sideOf(frame?.['cols']), sideOf(frame?.['rows'])];
      if (frame?.['type'] !== 'resize' || width === undefined || height === undefined) return '';
      return hasHeader ? event('r', `${width}x${height}`) : '';
    },

    /** What a frame of the robot adds to the recording. */
    fromRobot(data: Buffer, isBinary: boolean): string {
      // Without frames of a protocol text is shown like any other bytes.
      if (!isBinary && protocol !== undefined) return '';
      const output = isTagged ? (data[0] ?? 0) : 0;
      const text = decode(output, isTagged && outputs.includes(output) ? data.subarray(1) : data);
      return (hasHeader ? '' : header(cols, rows)) + (text === '' ? '' : event('o', text));
    },

    /** What is left of characters that were cut. */
    end(): string {
      const rest = [...decoders.keys()].map((output) => decode(output)).join('');
      return (hasHeader ? '' : header(cols, rows)) + (rest === '' ? '' : event('o', rest));
    },
  };
}

const sideOf = (value: unknown): number | undefined =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxSide ? (value as number) : undefined;

function readFrame(data: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // the agent judges it
  }
}
