/** Parsed input: bytes for the robot, or a command for this side. */
export type Typed = { kind: 'bytes'; bytes: Buffer } | { kind: 'end' | 'help' | 'suspend' };

const [tilde, carriageReturn, lineFeed] = [0x7e, 0x0d, 0x0a];
const commands: Partial<Record<number, 'end' | 'help' | 'suspend'>> = { 0x2e: 'end', 0x3f: 'help', 0x1a: 'suspend' };

/** OpenSSH's text, which people know. */
export const escapeHelp = [
  'Supported escape sequences:',
  ' ~.   - end the connection',
  ' ~^Z  - suspend the client',
  ' ~~   - send the escape character by typing it twice',
  ' ~?   - this message',
  '(Escapes count only right after a newline.)',
];

/**
 * Separates the escapes from the input, by the rules of OpenSSH: `~` counts at the beginning and after a newline, and
 * is held until the next character is known. Before any other character it is literal.
 */
export function escapes() {
  let isLineStart = true;
  let isHeld = false;
  return {
    /** An escape counts from here on, whatever was typed before. */
    beginLine(): void {
      isLineStart = true;
    },
    feed(typed: Buffer): Typed[] {
      const found: Typed[] = [];
      let start = 0;
      const pass = (end: number) => {
        if (end > start) found.push({ kind: 'bytes', bytes: typed.subarray(start, end) });
      };
      for (let index = 0; index < typed.length; index += 1) {
        const byte = typed[index] ?? 0;
        if (isHeld) {
          isHeld = false;
          const command = commands[byte];
          if (command) {
            found.push({ kind: command });
            start = index + 1;
            continue;
          }
          if (byte !== tilde) found.push({ kind: 'bytes', bytes: Buffer.from('~') });
          start = index;
        } else if (byte === tilde && isLineStart) {
          pass(index);
          start = index + 1;
          isHeld = true;
          continue;
        }
        isLineStart = byte === carriageReturn || byte === lineFeed;
      }
      if (!isHeld) pass(typed.length);
      return found;
    },
  };
}
