import { waitTexts } from '../../../generated/wait-texts.js';
import { parseDuration } from '../../kernel/duration.ts';
import { approvalsPath, approvedText } from '../approval-page.ts';
import { html, type Html } from '../page.ts';
import { kindOf, type Deployment } from './deployment-rows.ts';
import { instant } from './instant.ts';

type Wait = NonNullable<Deployment['waiting_on']>;

/** What keeps a robot from being disturbed, as in the contract. */
export interface Gate {
  holder: string;
  reason: string;
}

/** What is waited for, in one sentence, with the instant since when: an age would change the page with each poll. */
export function waitText({ code, since, detail }: Wait, gate?: Gate): Html {
  const what = [waitTexts[code] ?? code.replaceAll('_', ' '), ...(detail === undefined ? [] : [detail])].join(': ');
  const isOfGate = gate !== undefined && (code === 'gate' || code === 'window');
  const why = isOfGate ? `, ${code === 'gate' ? `${gate.holder}: ` : ''}${gate.reason}` : '';
  // That since when a schedule waits is when it was created.
  return html`${what}${why}${since === undefined || code === 'schedule' ? undefined : html`, since ${instant(since)}`}`;
}

/** What the deployment waits for, with who approved it so far, or until when it soaks; undefined if it waits for nothing. */
export function deploymentWait(deployment: Deployment): Html | undefined {
  const { id, approval, rollout, waiting_on: wait } = deployment;
  if (wait === undefined) return undefined;
  if (approval) {
    const link = html`<a href="${approvalsPath}/${kindOf(deployment)}/${id}">decide</a>`;
    return html`${waitText(wait)}: ${approvedText(approval)} (${link})`;
  }
  const soakSeconds = wait.code === 'soak' && rollout ? parseDuration(rollout.advance.soak) : undefined;
  if (soakSeconds === undefined || wait.since === undefined) return waitText(wait);
  const endAt = new Date(Date.parse(wait.since) + soakSeconds * 1_000).toISOString();
  return html`${waitText(wait)}, until ${instant(endAt)} at the earliest`;
}
