import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, makeOwnFolder, syncFolder, writeDurably, writeSynced } from '../orders/durable.ts';
import { StepFailed, type Failure, type Handler, type OrderContext } from '../orders/handler.ts';
import { namespacesOf, proofOf, readDocument } from './document.ts';
import { runHook, type HookSettings } from './hook.ts';
import {
  modeOf,
  parseValues,
  pathOf,
  readIfThere,
  removeFile,
  restoreFile,
  textOf,
  type Values,
} from './namespace-file.ts';

export interface ConfigSettings extends Omit<HookSettings, 'command'> {
  /** Folder of the namespace files; created if missing. */
  folder: string;
  /** Command that the shell runs after the files have changed. Default: none. */
  onConfig?: string | undefined;
}

/**
 * Config orders: each entry becomes a member of `<folder>/<namespace>.json`. New files are complete before the first
 * rename, and old files are kept until the order ends. So the order can resume after a crash between two renames, and
 * can be rolled back after a failed hook, also on a full disk. Throws StepFailed for a payload that is no config.
 */
export function configHandler(settings: ConfigSettings, task: OrderContext): Handler {
  const { folder, onConfig } = settings;
  const document = readDocument(task.payload);
  const namespaces = namespacesOf(document);
  const newPath = (namespace: string) => join(folder, `.${namespace}.json.new`);
  const oldFolder = join(task.directory, 'old');
  const oldPath = (namespace: string) => join(oldFolder, namespace);

  async function read(namespace: string): Promise<Values> {
    const path = pathOf(folder, namespace);
    const content = await readIfThere(path);
    return content ? parseValues(path, content.toString('utf8')) : new Map();
  }

  async function hook(phase: 'apply' | 'rollback'): Promise<void> {
    if (onConfig === undefined) return;
    await runHook({ ...settings, command: onConfig }, { folder, namespaces, phase }, task);
  }

  return {
    async install() {
      await makeOwnFolder(folder);
      await makeOwnFolder(oldFolder);
      const created: string[] = [];
      for (const namespace of namespaces) {
        const path = pathOf(folder, namespace);
        const old = await readIfThere(path);
        const mode = await modeOf(path);
        const values = old ? parseValues(path, old.toString('utf8')) : new Map<string, string>();
        for (const { key, value } of document.entries.filter((entry) => entry.namespace === namespace))
          values.set(key, document.text.slice(value.start, value.end));
        if (old) await writeDurably(oldPath(namespace), old, mode);
        else created.push(namespace);
        await writeSynced(newPath(namespace), textOf(values), mode);
      }
      // Written to the journal with the next step. A lost copy must not count as a file that did not exist.
      task.notes['created'] = created;
      await syncFolder(folder);
    },
    async activate() {
      for (const namespace of namespaces)
        await rename(newPath(namespace), pathOf(folder, namespace)).catch((error: unknown) => {
          // Renamed before a crash; the proof shows whether it was.
          if (!isMissing(error)) throw error;
        });
      await syncFolder(folder);
    },
    async verify() {
      const stored = new Map<string, Values>();
      for (const namespace of namespaces) stored.set(namespace, await read(namespace));
      const digest = proofOf(document, ({ namespace, key }) => stored.get(namespace)?.get(key) ?? '');
      if (digest !== task.order.digest) throw new StepFailed('verify_failed', 'the files differ from the order');
      await hook('apply');
      return digest;
    },
    async rollback(failure: Failure) {
      const created = task.notes['created'] as readonly string[];
      for (const namespace of namespaces) {
        const path = pathOf(folder, namespace);
        await removeFile(newPath(namespace));
        if (created.includes(namespace)) await removeFile(path);
        else await restoreFile(oldPath(namespace), path, newPath(namespace));
      }
      await syncFolder(folder);
      if (!hasRun(failure)) return;
      await hook('rollback').catch((error: unknown) => {
        if (!(error instanceof StepFailed)) throw error;
        task.say('on-config', `with the old files ${error.message.split('\n')[0] ?? ''}`);
      });
    },
  };
}

/** Whether the programs of the robot may know the new values. */
const hasRun = ({ reason }: Failure) => reason === 'hook_failed' || reason === 'interrupted';
