/**
 * Only the native part of the package: its own wrapper ends a terminal 200 ms after the program, even with unread
 * output.
 */
declare module '@lydell/node-pty/requireBinary.js' {
  export function requireBinary(file: string): unknown;
}
