import { catalog } from '../../../cli/command-specs/index.ts';
import { pathOf, type SampleCall } from './call.ts';
import { quoted } from './curl.ts';

/** Where the first command that calls an operation is about something else, or is more than the operation. */
const better: Record<string, { path: string; example: number }> = {
  getWhoami: { path: 'whoami', example: 0 },
  downloadShellRecording: { path: 'sessions download', example: 0 },
  uploadArtifact: { path: 'releases push', example: 1 },
};

/** The first example of the command that is about the operation; where no command is, the call itself. */
export function cliSample(call: SampleCall): string {
  const { path, example } = better[call.operationId] ?? { path: undefined, example: 0 };
  const command = catalog.commands.find((each) =>
    path === undefined ? each.operations?.[0] === call.operationId : each.path === path,
  );
  const line = command?.examples[example];
  if (line === undefined) return apiCall(call);
  // A sample gives an order, and does not wait for what becomes of it.
  return line.replace(' --watch', '').replace('svc_enroll_…', '"$SERVICE_ENROLLMENT_KEY"');
}

function apiCall(call: SampleCall): string {
  const fields = Object.entries((call.body ?? {}) as Record<string, unknown>).map(([name, value]) =>
    typeof value === 'string' ? `-f ${quoted(`${name}=${value}`)}` : `-f ${name}:=${quoted(JSON.stringify(value))}`,
  );
  const token = call.token === 'SERVICE_ROBOT_TOKEN' ? ['SERVICE_TOKEN="$SERVICE_ROBOT_TOKEN"'] : [];
  const kept = call.download === undefined ? [] : [`> ${call.download}`];
  return [...token, 'cli api', call.method, quoted(pathOf(call)), ...fields, ...kept].join(' ');
}
