import { join } from 'node:path';
import { openSpool, type Spool } from '../spool/spool.ts';
import { troublesOf, type Troubles } from '../troubles.ts';
import { logIntake, type Intake } from './intake.ts';
import { cutMessage } from './parse.ts';
import type { LogSender } from './sender.ts';

interface AgentLogSettings {
  stateDirectory: string;
  stateIsOurs?: Promise<void> | undefined;
  spoolMegabytes: number;
  /** The id of this boot of the machine, if known. */
  boot: string | undefined;
  /** Called only once the agent has started. */
  sender(): LogSender;
  /** Also receives each trouble. */
  told(level: 'warn' | 'info', message: string): void;
}

/** The logs of this robot, and the agent's own lines in them. */
export interface AgentLog {
  spool: Spool;
  intake: Intake;
  /** Writes a line from the agent; default: info. */
  tell(message: string, level?: 'error'): void;
  troubles: Troubles;
}

const notWritten = 'Up to 1 MiB of them wait in memory; later ones are lost and counted';
const notRead = 'Reading is retried; damaged ones are then lost and counted';

export function agentLog(settings: AgentLogSettings): AgentLog {
  const { sender, told } = settings;
  const parent = join(settings.stateDirectory, 'spool');
  const spool = openSpool({
    parent,
    after: settings.stateIsOurs,
    quotaBytes: settings.spoolMegabytes * 1024 * 1024,
    bootId: settings.boot,
    onWritten: () => sender().wake(),
    onIdChanged(before, id) {
      sender().idChanged();
      tell(`the service has stored higher numbers of the log spool ${before}; it continues as ${id}`);
    },
    onFault: (reason, work) =>
      troubles.is(
        `spool ${work}`,
        work === 'writing'
          ? `logs cannot be kept in ${parent}: ${reason}. ${notWritten}`
          : `logs cannot be read from ${parent}: ${reason}. ${notRead}`,
      ),
    onWell: (work) =>
      troubles.over(`spool ${work}`, `logs are ${work === 'writing' ? 'kept in' : 'read from'} ${parent} again`),
  });
  const intake = logIntake(spool);
  const keep = (level: 'error' | 'warn' | 'info', text: string) =>
    intake.offer('agent', () => {
      const { message } = cutMessage(text);
      return { ts: new Date().toISOString(), level, source: 'agent', message };
    });
  const tell = (message: string, level: 'info' | 'error' = 'info') => keep(level, message);
  const troubles = troublesOf((level, message) => {
    keep(level, message);
    told(level, message);
  });
  return { spool, intake, tell, troubles };
}
