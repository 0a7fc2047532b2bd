/**
 * A robot of a deployment was removed or moved while the deployment started. Nothing to warn of: the start is retried with
 * the robots it has now.
 */
export class RobotsChanged extends Error {
  constructor() {
    super('the robots of a deployment changed while it started; retrying');
  }
}

export const areRobotsChanged = (error: unknown): boolean => error instanceof RobotsChanged;
