/** What the process ends with. Scripts depend on these; a new outcome takes a new number. */
export const exitCode = {
  ok: 0,
  /** The API refused (403 too) or something failed. */
  error: 1,
  /** The command line is wrong; nothing was sent. */
  usage: 2,
  /** No token, or one that was rejected. */
  auth: 4,
  notFound: 5,
  conflict: 6,
  /** The deployment that was watched ended otherwise than applied. */
  notApplied: 7,
  /** What was watched had not ended within `--timeout`. */
  timedOut: 8,
  /** The robot is not connected. */
  agentOffline: 9,
  interrupted: 130,
  /** The connection of a shell was lost for good: how it ended is not known. */
  linkLost: 255,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
