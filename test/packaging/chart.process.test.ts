import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';

const run = promisify(execFile);
const chart = fileURLToPath(new URL('../../packaging/helm/fleet-control-service', import.meta.url));
const renderer = fileURLToPath(new URL('helm/render.go', import.meta.url));
const testWithGo = testWith('go');

type Values = Record<string, unknown>;

/** Of a manifest: what the tests read. */
interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as Kubernetes has it
  spec: any;
}

let folder: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  folder = await tempDir();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Objects are merged, and all else is replaced, as Helm does with values. */
function merged(base: Values, over: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isObject(below) && isObject(value) ? merged(below, value) : value];
  });
  return { ...base, ...(Object.fromEntries(entries) as Values) };
}

const readYaml = async (name: string) => parse(await readFile(join(chart, name), 'utf8')) as Values;

async function problems(over: Values): Promise<string | undefined> {
  const schema = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8')) as object;
  const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
  return ajv.validate(schema, merged(await readYaml('values.yaml'), over)) ? undefined : ajv.errorsText();
}

/** @throws what the chart says if it refuses the values */
async function render(over: Values, release = 'prod'): Promise<Manifest[]> {
  const program = join(folder.path, 'render');
  await run('go', ['build', '-o', program, renderer], { env: { ...process.env, GO111MODULE: 'off' } });
  const { name, version, appVersion } = await readYaml('Chart.yaml');
  const context = {
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release, Service: 'Helm', Namespace: 'fleet' },
    Values: merged(await readYaml('values.yaml'), over),
  };
  const file = join(folder.path, 'context.json');
  await writeFile(file, JSON.stringify(context));
  const { stdout } = await run(program, [join(chart, 'templates'), file]);
  return Object.entries(JSON.parse(stdout) as Record<string, string>)
    .filter(([path]) => path.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text))
    .flatMap((document) => {
      expect(document.errors).toEqual([]);
      return (document.toJSON() as Manifest | null) ?? [];
    });
}

const least = { existingSecret: 'fleet-secrets', s3: { bucket: 'artifacts' } };

testWithGo('the schema of the values names what is missing, unknown or secret', async () => {
  expect(await problems(least)).toBeUndefined();
  const refused: [over: Values, why: RegExp][] = [
    [{}, /existingSecret must NOT have fewer than 1 characters/],
    [{ ...least, replica: 3 }, /additional properties/],
    [{ ...least, replicas: 0 }, /replicas must be >= 1/],
    [{ ...least, ingress: { enabled: true } }, /ingress\/host/],
    [{ ...least, settings: { SERVICE_ADMIN_TOKEN: 'x' } }, /property name/],
  ];
  for (const [over, why] of refused) expect(await problems(over)).toMatch(why);
});

testWithGo('the chart has each part once, and all select the same pods', async () => {
  const manifests = await render({
    ...least,
    ingress: { enabled: true, host: 'fleet.example.com', tlsSecret: 'tls', className: 'nginx' },
    networkPolicy: { from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  });
  const kinds = ['Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'];
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(kinds);
  const of = (kind: string) => manifests.find((each) => each.kind === kind)?.spec;
  const deployment = of('Deployment');
  const { template } = deployment;
  for (const labels of [
    ...[deployment.selector, of('PodDisruptionBudget').selector].map((each) => each.matchLabels),
    ...template.spec.topologySpreadConstraints.map((each: Manifest['spec']) => each.labelSelector.matchLabels),
    of('Service').selector,
    of('NetworkPolicy').podSelector.matchLabels,
    // Replicas reach each other, whoever else may not.
    of('NetworkPolicy').ingress[0].from[0].podSelector.matchLabels,
  ]) {
    expect(Object.keys(labels)).toHaveLength(2);
    expect(template.metadata.labels).toMatchObject(labels);
  }
  expect(of('NetworkPolicy').ingress[0].from).toHaveLength(2);
  const [rule] = of('Ingress').rules;
  const paths = rule.http.paths.map(({ path }: { path: string }) => path);
  expect(paths).toContain('/api');
  expect(paths).not.toContain('/metrics');
  const name = 'prod-fleet-control-service';
  expect(new Set(manifests.map(({ metadata }) => metadata.name))).toEqual(new Set([name]));
  expect(rule.http.paths[0].backend.service).toEqual({ name, port: { name: 'http' } });
});

testWithGo('a pod has no rights and no secret in its text, and has time to drain', async () => {
  const manifests = await render({ ...least, settings: { LOG_RETENTION_DAYS: '30' } });
  const pod = manifests.find(({ kind }) => kind === 'Deployment')?.spec.template.spec;
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
  expect(pod.automountServiceAccountToken).toBe(false);
  const [container] = pod.containers;
  expect(container.securityContext).toEqual({
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  });
  expect(container.envFrom).toEqual([{ secretRef: { name: 'fleet-secrets' } }]);
  const variables = container.env as { name: string; value?: string }[];
  expect(variables.map(({ name }) => name)).toEqual([
    ...['POD_IP', 'SERVICE_REPLICA_URL', 'S3_BUCKET', 'LOG_RETENTION_DAYS'],
  ]);
  expect(container.image).toMatch(/^localhost\/fleet-control-service:\d/);
  expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  const [, waits] =
    /setTimeout\(\(\) => \{\}, (\d+)\)/.exec(container.lifecycle.preStop.exec.command[2] as string) ?? [];
  // A stop takes at most 20 s after it.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(waits) / 1_000 + 20);
});

testWithGo('artifacts outlive a pod, and replicas share them', async () => {
  const alone = { existingSecret: 'fleet-secrets' };
  for (const replicas of [1, 2])
    await expect(render({ ...alone, replicas })).rejects.toThrow('s3.bucket or artifacts.existingClaim is required');
  const shared = await render({ ...alone, artifacts: { existingClaim: 'fleet' } });
  const pod = shared.find(({ kind }) => kind === 'Deployment')?.spec.template.spec;
  expect(pod.containers[0].env).toContainEqual({ name: 'SERVICE_ARTIFACTS_SHARED', value: '1' });
  expect(pod.volumes).toContainEqual({ name: 'artifacts', persistentVolumeClaim: { claimName: 'fleet' } });
  await expect(render({ ...least, existingSecret: '' })).rejects.toThrow('existingSecret is required');
});
