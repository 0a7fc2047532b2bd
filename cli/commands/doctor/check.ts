export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  /** The finding and, unless it is ok, what to do. */
  message: string;
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message });
export const warn = (name: string, message: string): Check => ({ name, status: 'warn', message });
export const fail = (name: string, message: string): Check => ({ name, status: 'fail', message });
