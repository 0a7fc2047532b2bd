import type { ViewerFrame } from '../../../generated/shell.js';

/** How a shell was requested. */
interface Opening {
  protocol: string | undefined; // undefined: raw bytes
  cols: number;
  rows: number;
}

/** The tags of `fleet.shell.v1` before output bytes of a program without a terminal. */
const outputs = [1, 2];

/**
 * Turns frames between a viewer and a robot into lines of asciicast, version 2: output and window size, never input. A
 * character split over two frames is written with the second one. Invalid UTF-8 is written as U+FFFD.
 */
export function asciicast({ protocol, cols, rows }: Opening) {
  const beganAt = new Date();
  const beganMs = performance.now(); // the system clock may change meanwhile
  const decoders = new Map<number, InstanceType<typeof TextDecoder>>(); // each output splits characters by itself
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
    // No terminal added the carriage returns that the player's terminal needs.
    return isTagged ? text.replace(/\r?\n/g, '\r\n') : text;
  }

  return {
    /** What a frame of the viewer adds to the recording; usually nothing. */
    fromViewer(data: Buffer, isBinary: boolean): string {
      if (isBinary || protocol === undefined) return '';
      const frame = JSON.parse(data.toString()) as ViewerFrame; // shell-frames.ts has checked it
      if (frame.type === 'start' && !hasHeader) {
        isTagged = frame.tty === false;
        return header(frame.cols ?? 80, frame.rows ?? 24);
      }
      return frame.type === 'resize' && hasHeader ? event('r', `${frame.cols}x${frame.rows}`) : '';
    },

    /** What a frame of the robot adds to the recording. */
    fromRobot(data: Buffer, isBinary: boolean): string {
      // Without the subprotocol, text frames are shown like bytes.
      if (!isBinary && protocol !== undefined) return '';
      const output = isTagged ? (data[0] ?? 0) : 0;
      const text = decode(output, isTagged && outputs.includes(output) ? data.subarray(1) : data);
      return (hasHeader ? '' : header(cols, rows)) + (text === '' ? '' : event('o', text));
    },

    /** What remains of split characters. */
    end(): string {
      const rest = [...decoders.keys()].map((output) => decode(output)).join('');
      return (hasHeader ? '' : header(cols, rows)) + (rest === '' ? '' : event('o', rest));
    },
  };
}
