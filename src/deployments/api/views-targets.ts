import { earlierOrders, terminalStatuses, waveSkipped } from '../engine/model.ts';
import type { JsonRows } from '../../platform/db/json-rows.ts';
import { isOnline } from '../engine/links.ts';
import { isWaitingForGate } from '../engine/gates.ts';
import { isHeld, lacksCapability, waitingDeadline } from '../engine/holds.ts';
import { isReplaced, isRobotHeld } from '../engine/robot-holds.ts';
import { heldBy, openOrder, pausedAt, robotHeldBy, waits, waitsForWindow, wire } from './views-sql.ts';

const columns = ['robot_id', 'status', 'reason', 'message', 'dispatched_at', 'updated_at'] as const;

const ofDeployment = (what: string) => `(select ${what} from deployments d
  where d.org_id = targets.org_id and d.id = targets.deployment_id)`;
const stopping = ofDeployment('d.cancelled_at is not null');
const paused = ofDeployment(pausedAt('d'));
/** Whether its wave has not begun, or that in which a robot that joined later receives the deployment. */
const waitsForWave = `(targets.deadline_at = 'infinity' and ${ofDeployment('targets.wave > d.open_wave')} or ${ofDeployment(isHeld('d'))})`;
/** Whether the pace of the rollout or a disruption budget keeps it from being dispatched. */
const isHeldBack = `(targets.deadline_at = 'infinity' and ${ofDeployment(`d.held_by <> '${earlierOrders}'`)})`;
/** A pause holds the time of those that wait, and it does not pass before their wave. */
const deadline = `case when targets.status = 'waiting' then nullif(${ofDeployment(waitingDeadline('d', 'targets'))}, 'infinity')
  else targets.deadline_at end`;
const lacking = `exists (select from robot_links l
  where l.org_id = targets.org_id and l.robot_id = targets.robot_id and ${lacksCapability('d', 'l')})`;
const lastSeen = `(select l.last_seen_at from robot_links l
  where l.org_id = targets.org_id and l.robot_id = targets.robot_id)`;

// cancel and newer_order: the sweeper is about to end the target, or to ask the robot to stop.
const waitingOn = `case
    when targets.status in (${terminalStatuses}) then null
    when targets.status not in ('cancelling', 'rolling_back') and ${stopping} then ${waits('cancel', 'targets.updated_at')}
    when targets.status = 'waiting' and targets.reason = '${waveSkipped}' then ${waits('cancel', 'targets.updated_at')}
    when targets.status = 'waiting' and ${isReplaced('targets')} then ${waits('newer_order', 'targets.updated_at')}
    when targets.status = 'waiting' and ${paused} is not null then ${waits('paused', paused)}
    when targets.status = 'waiting' and ${waitsForWave} then ${waits('wave', 'targets.created_at')}
    when targets.status = 'waiting' and ${ofDeployment(isRobotHeld('d', 'targets.robot_id'))} then ${ofDeployment(robotHeldBy('d', 'targets.robot_id'))}
    when not ${isOnline('targets')} then ${waits('offline', lastSeen)}
    when targets.status = 'cancelling' then ${waits('cancel_confirmation', 'targets.updated_at')}
    when targets.status = 'dispatched' then ${waits('acknowledgement', 'targets.dispatched_at')}
    when ${isWaitingForGate('targets')} and targets.gate ->> 'holder' = 'window' then ${waits('window', 'targets.gate_since')}
    when ${isWaitingForGate('targets')} then ${waits('gate', 'targets.gate_since')}
    when targets.status <> 'waiting' then ${waits('robot_working', 'targets.updated_at')}
    when not ${isOnline('targets', 'l.takes_orders')} or ${ofDeployment(lacking)} then ${waits('agent_too_old', 'targets.updated_at')}
    when ${openOrder('targets')} then ${waits('earlier_order', 'targets.updated_at')}
    when ${isHeldBack} then ${ofDeployment(heldBy('d'))}
    when ${ofDeployment(waitsForWindow('d'))} then ${waits('window', 'targets.updated_at')}
    else ${waits('dispatch', 'targets.updated_at')} end`;

const progress = `case when targets.progress_percent is not null then json_strip_nulls(json_build_object(
    'percent', targets.progress_percent, 'text', targets.progress_text, 'at', ${wire('targets.progress_at')})) end`;

const gate = `case when ${isWaitingForGate('targets')} then targets.gate || jsonb_build_object('since', ${wire('targets.gate_since')}) end`;

const wave = `case when ${ofDeployment('d.rollout is not null')} then targets.wave end`;

/** How the targets of a deployment are listed. */
export const targetListing = {
  table: 'targets',
  columns,
  computed: { wave, waiting_on: waitingOn, progress, gate, deadline_at: wire(deadline) },
  order: { column: 'robot_id', holds: 'string' },
} as const;

export type TargetRows = JsonRows<
  (typeof columns)[number] | 'wave' | 'waiting_on' | 'progress' | 'gate' | 'deadline_at'
>;

export const eventColumns = ['id', 'seq', 'at', 'status', 'robot_id', 'target_status', 'reason', 'message'] as const;
export type EventColumn = (typeof eventColumns)[number];
