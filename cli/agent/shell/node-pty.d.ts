/** The native part of the package alone: its own wrapper ends a terminal 200 ms after the program did, read or not. */
declare module '@lydell/node-pty/requireBinary.js' {
  export function requireBinary(file: string): unknown;
}
