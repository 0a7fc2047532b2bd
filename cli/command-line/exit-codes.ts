/** Exit codes of the process. Scripts depend on them; a new outcome gets a new number. */
export const exitCode = {
  ok: 0,
  /** The API refused the request (403 too), or something failed. */
  error: 1,
  /** The command line is invalid; nothing was sent. */
  usage: 2,
  /** The token is missing or was rejected. */
  auth: 4,
  notFound: 5,
  conflict: 6,
  /** The watched deployment ended in another status than applied. */
  notApplied: 7,
  /** The watch had not ended within `--timeout`. */
  timedOut: 8,
  /** The robot is not connected. */
  agentOffline: 9,
  interrupted: 130,
  /** The connection of a shell was lost permanently: its end is unknown. */
  linkLost: 255,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
