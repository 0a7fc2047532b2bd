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
import { wrongIn } from './helm/object-types.ts';

const run = promisify(execFile);
const chart = fileURLToPath(new URL('../../packaging/helm/fleet-control-service', import.meta.url));
const renderer = fileURLToPath(new URL('helm/render.go', import.meta.url));
const testWithGo = testWith('go');

type Values = Record<string, unknown>;

/** Of a manifest: what the tests read. */
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as Kubernetes has it
  spec: any;
}

let folder: Awaited<ReturnType<typeof tempDir>>;
/** Renders templates as Helm does. */
let program: string;
beforeAll(async () => {
  folder = await tempDir();
  program = join(folder.path, 'render');
  await run('go', ['build', '-o', program, renderer], { env: { ...process.env, GO111MODULE: 'off' } });
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

/** Objects that Kubernetes knows. @throws what the chart says if it refuses the values */
async function render(over: Values, release = 'prod'): Promise<Manifest[]> {
  const { name, version, appVersion } = await readYaml('Chart.yaml');
  const context = {
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release, Service: 'Helm', Namespace: 'fleet' },
    Values: merged(await readYaml('values.yaml'), over),
  };
  const file = join(folder.path, 'context.json');
  await writeFile(file, JSON.stringify(context));
  const { stdout } = await run(program, [join(chart, 'templates'), file]);
  const manifests = Object.entries(JSON.parse(stdout) as Record<string, string>)
    .filter(([path]) => path.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text))
    .flatMap((document) => {
      expect(document.errors).toEqual([]);
      return (document.toJSON() as Manifest | null) ?? [];
    });
  expect(wrongIn(manifests)).toEqual([]);
  return manifests;
}

const specOf = (manifests: readonly Manifest[], kind: string): Manifest['spec'] =>
  manifests.find((each) => each.kind === kind)?.spec;

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
  const of = (kind: string) => specOf(manifests, kind);
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
  const pod = specOf(manifests, 'Deployment').template.spec;
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
  const pod = specOf(shared, 'Deployment').template.spec;
  expect(pod.containers[0].env).toContainEqual({ name: 'SERVICE_ARTIFACTS_SHARED', value: '1' });
  expect(pod.volumes).toContainEqual({ name: 'artifacts', persistentVolumeClaim: { claimName: 'fleet' } });
  await expect(render({ ...least, existingSecret: '' })).rejects.toThrow('existingSecret is required');
});

testWithGo('one replica after the other is replaced, and the first may take half an hour to migrate', async () => {
  const manifests = await render(least);
  const deployment = specOf(manifests, 'Deployment');
  expect(deployment.replicas).toBe(2);
  expect(deployment.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
  const [{ startupProbe: probe }] = deployment.template.spec.containers;
  expect(probe.httpGet).toEqual({ path: '/healthz', port: 'http' });
  expect(probe.periodSeconds * probe.failureThreshold).toBe(30 * 60);
});

testWithGo('replicas are evicted one at a time, unless that is switched off', async () => {
  expect(specOf(await render(least), 'PodDisruptionBudget')).toMatchObject({ maxUnavailable: 1 });
  const without = await render({ ...least, podDisruptionBudget: { enabled: false } });
  expect(specOf(without, 'PodDisruptionBudget')).toBeUndefined();
  expect(without).toHaveLength(4);
});

testWithGo('the network policy limits peers and egress as far as the values name them, or is left out', async () => {
  const policyOf = async (networkPolicy: Values) => specOf(await render({ ...least, networkPolicy }), 'NetworkPolicy');
  const ports = [{ port: 'http', protocol: 'TCP' }];
  expect(await policyOf({})).toMatchObject({ policyTypes: ['Ingress'], ingress: [{ ports }] });
  expect((await policyOf({})).ingress[0]).not.toHaveProperty('from');
  const peers = [{ ipBlock: { cidr: '10.0.0.0/8' } }, { namespaceSelector: { matchLabels: { name: 'monitoring' } } }];
  const egress = [{ to: [{ ipBlock: { cidr: '192.0.2.0/24' } }], ports: [{ port: 5432, protocol: 'TCP' }] }];
  const limited = await policyOf({ from: peers, egress });
  expect(limited.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(limited.egress).toEqual([
    { to: [{ podSelector: limited.podSelector }], ports: [{ port: 8080, protocol: 'TCP' }] },
    { ports: ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol })) },
    ...egress,
  ]);
  expect(limited.ingress).toHaveLength(1);
  expect(limited.ingress[0].ports).toEqual(ports);
  expect(limited.ingress[0].from.slice(1)).toEqual(peers);
  expect(await policyOf({ enabled: false })).toBeUndefined();
});

testWithGo('a replica has the resources, labels and nodes that the values name', async () => {
  const podOf = async (over: Values) => specOf(await render({ ...least, ...over }), 'Deployment').template;
  const requests = { cpu: '500m', memory: '512Mi' };
  const [container] = (await podOf({})).spec.containers;
  expect(container.resources).toEqual({ requests, limits: { memory: '2Gi' } });
  const changed = await podOf({
    resources: { limits: { memory: '4Gi', cpu: '2' } },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'fleet', operator: 'Exists', effect: 'NoSchedule' }],
    podAnnotations: { team: 'robots' },
    image: { tag: '9.0.0', pullSecrets: ['registry'] },
  });
  expect(changed.spec.containers[0].resources).toEqual({ requests, limits: { memory: '4Gi', cpu: '2' } });
  expect(changed.spec.containers[0].image).toMatch(/:9\.0\.0$/);
  expect(changed.spec).toMatchObject({ nodeSelector: { disk: 'ssd' }, imagePullSecrets: [{ name: 'registry' }] });
  expect(changed.metadata.annotations).toEqual({ team: 'robots' });
});

testWithGo('an object with a field or type that Kubernetes does not have is found', () => {
  const service = (port: object) => ({ apiVersion: 'v1', kind: 'Service', spec: { ports: [port] } });
  expect(wrongIn([service({ port: 80, targetPort: 'http' }), service({ port: 80, targetPort: 8080 })])).toEqual([]);
  for (const port of [{ port: '80' }, { targetPort: 80 }, { port: 80, target: 80 }])
    expect(wrongIn([service(port)])).toHaveLength(1);
  expect(wrongIn([{ apiVersion: 'policy/v1', kind: 'PodBudget' }])).toHaveLength(1);
});
