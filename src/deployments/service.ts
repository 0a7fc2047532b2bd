export type { OpenOrder, OrderDesk, OrderReport, ReportDone, RobotKey } from './desk.ts';
