import type { View } from '../views.ts';

export const robotTabs = ['Health', 'Logs', 'Timeline', 'Shell', 'Camera', 'Topics', 'Config'] as const;
export type RobotTab = (typeof robotTabs)[number];

export const robotTabOf = ({ tab }: View): RobotTab => robotTabs.find((each) => each === tab) ?? 'Health';
