import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { bannerLine } from './banner.ts';
import { freezeLine } from './freeze-line.ts';
import type { Line } from './line.ts';

/** What stands between the tabs and the screen: problems of the connection, and a freeze of deployments. */
export const linesAbove = (ui: Ui, view: View, columns: number): Line[] =>
  [bannerLine(ui, columns), freezeLine(ui, view, columns)].filter((line) => line !== undefined);
