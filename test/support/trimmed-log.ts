import { join } from 'node:path';
import { auditService } from '../../src/audit/service.ts';
import { exportAudit } from '../../src/host-command/audit-export.ts';
import { trimAudit } from '../../src/host-command/audit-trim.ts';
import { addEntries, unguarded } from './audit-log.ts';
import { addressOf, type World } from './world.ts';

/** A world whose log has so many entries, all sealed 500 days ago. */
export async function ageLog(world: World, entries: number, after?: string): Promise<void> {
  await addEntries(world.db, world.orgId, entries - 1, after, 500);
  await unguarded(world.db, "update audit set at = now() - interval '501 days' where operation = 'createOrg'");
  await auditService(world.db).sealAll();
}

/** Exports old entries into a subfolder, and deletes them. */
export async function exportAndTrim(world: World, folder: string, name: string, days?: string): Promise<string> {
  const path = await exportOld(world, folder, name, days);
  await trimAudit({ ...hostOf(world), folder: path });
  return path;
}

/** `days`: the least age, default 400. */
export const exportOld = (world: World, folder: string, name: string, days?: string): Promise<string> =>
  exportAudit({ ...hostOf(world), folder: join(folder, name), days, org: world.orgId });

/** What the commands of the host need. */
export const hostOf = (world: World) => ({
  config: { databaseUrl: addressOf(world), databaseDirectUrl: undefined, dataDir: world.dataDir },
  tell: () => undefined,
});
