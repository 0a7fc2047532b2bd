import type { Curve } from './curve.ts';
import { fleetCurve } from './fleet.ts';
import { linksCurve } from './links.ts';
import { logLinesCurve } from './log-lines.ts';
import { openDeploymentsCurve } from './open-deployments.ts';
import { operationsCurve } from './operations.ts';
import { robotsCurve } from './robots.ts';
import { viewersCurve } from './viewers.ts';

export const curves: readonly Curve[] = [
  linksCurve,
  fleetCurve,
  robotsCurve,
  logLinesCurve,
  viewersCurve,
  operationsCurve,
  openDeploymentsCurve,
];
