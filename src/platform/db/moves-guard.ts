import { deploymentMoves, targetMoves } from '../../../generated/protocol.js';

const tables = { deployment: deploymentMoves, target: targetMoves };

/**
 * SQL that makes Postgres refuse an illegal move of `status`, and an unknown status. The trigger condition is checked
 * without calling the function, so a legal move costs next to nothing. A migration that changes the moves runs it
 * again.
 */
export function movesGuard(table: string, moves: keyof typeof tables): string {
  const legal = Object.entries<readonly string[]>(tables[moves]);
  const statuses = legal.map(([status]) => `'${status}'`).join(', ');
  const pairs = legal
    .filter(([, to]) => to.length > 0)
    .map(([from, to]) => `old.status = '${from}' and new.status in (${to.map((each) => `'${each}'`).join(', ')})`);
  return `
    alter table ${table} drop constraint if exists ${table}_status, add constraint ${table}_status check (status in (${statuses}));
    create or replace function ${table}_refuse_move() returns trigger language plpgsql as $$
    begin
      raise exception '${table}: % may not become %', old.status, new.status using errcode = 'check_violation';
    end $$;
    create or replace trigger ${table}_moves before update of status on ${table} for each row
      when (old.status <> new.status and not (${pairs.join(' or ')}))
      execute function ${table}_refuse_move();`;
}
