import type { Order } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { Check, CheckContext } from '../check.ts';
import { fileOrder, orderOf, sha256 } from '../order-book.ts';
import { startOtherHost } from '../other-host.ts';
import { assertRule, NotSupported, shown } from '../rule.ts';
import type { ServedLink } from '../served-link.ts';

/** More than a socket buffers, so that its transfer can be held in the middle. */
const content = (name: string) => `${name}\n`.repeat(100_000);

/** A link of an agent that installs files, and has these capabilities. */
async function linkForFiles(
  { linked }: CheckContext,
  ...needs: Parameters<CheckContext['linked']>
): Promise<ServedLink> {
  const link = await linked('orders', ...needs);
  const kinds = link.hello?.capabilities?.kinds;
  if (kinds && !kinds.includes('file'))
    throw new NotSupported(`its capabilities.kinds are ${shown(kinds)}, without file`);
  return link;
}

/** Returns an order for a file that can be downloaded; the second half of the file waits for `heldBack`. */
function orderFile(
  { service }: CheckContext,
  text: string,
  changes: Partial<Order> = {},
  heldBack?: Promise<void>,
): Order {
  const order = fileOrder(text, changes);
  service.artifacts.set(sha256(text), { content: Buffer.from(text), ...(heldBack && { heldBack }) });
  service.book.give(order);
  return order;
}

const endOf = ({ service, until, timeoutMs }: CheckContext, order: Order) =>
  until(() => service.book.endOf(order), `nothing final was reported of order ${order.order_id}`, timeoutMs * 2);

const downloadsOf = ({ service }: CheckContext, text: string) =>
  service.downloads.filter((digest) => digest === sha256(text)).length;

/** Deploys config with this value. @throws NotSupported when the agent takes no config */
async function proveConfig(scene: CheckContext, value: unknown, isInline: boolean): Promise<void> {
  const { book, payloads } = scene.service;
  await scene.linked('orders');
  const entry = { namespace: 'conformance', key: 'conformance.value', revision: 1, value };
  const { payload, ...order } = orderOf('config', JSON.stringify({ config: [entry] }));
  payloads.set(order.digest, payload ?? '');
  book.give({ ...order, ...(isInline && payload !== undefined && { payload }) });
  const end = await endOf(scene, order);
  if (end.status === 'failed' && end.reason === 'no_handler') throw new NotSupported('it takes no config');
  assertRule(end.status === 'applied' && end.digest === order.digest, `reported was ${shown(end)}`);
}

export const orderChecks: readonly Check[] = [
  {
    name: 'deployment',
    rule: 'A release is downloaded, put in place and reported as applied, with the SHA-256 of the artifact as its proof',
    async run(scene) {
      await linkForFiles(scene);
      const text = content('deployment');
      const end = await endOf(scene, orderFile(scene, text));
      assertRule(end.status === 'applied' && end.digest === sha256(text), `reported was ${shown(end)}`);
      assertRule(downloadsOf(scene, text) > 0, 'it was reported as applied, but the artifact was never asked for');
    },
  },
  {
    name: 'orders-once',
    rule: 'An order is carried out once, however often it is in the list; its end is reported',
    async run(scene) {
      await linkForFiles(scene);
      const text = content('once');
      const order = orderFile(scene, text);
      scene.service.book.give();
      await endOf(scene, order);
      const reportsBefore = scene.service.book.reportsOf(order).length;
      // A list that was under way when the report arrived, on this link and on the next one.
      scene.service.book.give(order);
      const again = () => scene.service.book.reportsOf(order).slice(reportsBefore);
      await scene.until(() => again().length > 0, 'a list that names an order which has ended was not answered');
      scene.service.links.at(-1)?.socket.terminate();
      scene.service.book.orders = [order];
      const before = scene.service.book.reports.length;
      await scene.linkAfter(scene.service.links.length, limits.deadAfterMs);
      await scene.until(
        () => scene.service.book.reports.slice(before).some(({ order_id: id }) => id === order.order_id),
        'on a new link, a list that names an order which has ended was not answered',
      );
      const other = again().find(({ status }) => status !== 'applied');
      assertRule(!other, `after its end the order was reported as ${shown(other)}`);
      assertRule(downloadsOf(scene, text) === 1, `the artifact was downloaded ${downloadsOf(scene, text)} times`);
    },
  },
  {
    name: 'dropped',
    rule: 'An order that leaves the list before it begins is dropped; one that has begun is finished',
    async run(scene) {
      await linkForFiles(scene);
      const { book } = scene.service;
      const [begun, left, next] = [content('begun'), content('left'), content('next')];
      let release: () => void = () => undefined;
      const first = orderFile(scene, begun, {}, new Promise((resolve) => (release = resolve)));
      await scene.until(() => downloadsOf(scene, begun) > 0, 'its artifact was not asked for');
      book.orders = [];
      const second = orderFile(scene, left);
      book.orders = [];
      book.give();
      const third = orderFile(scene, next);
      release();
      await endOf(scene, third);
      const end = book.endOf(first);
      assertRule(end?.status === 'applied', `of the order that had begun was reported ${shown(end)}`);
      const other = book.endOf(second);
      assertRule(
        downloadsOf(scene, left) === 0 && other?.status !== 'applied',
        `an order that left the list while another one of its lane was carried out was begun; reported was ${shown(other)}`,
      );
    },
  },
  {
    name: 'report-kept',
    rule: 'A last report that was not acknowledged is sent again with the next hello, or on the link',
    async run(scene) {
      await linkForFiles(scene);
      scene.service.book.acknowledges = false;
      const order = orderFile(scene, content('report'));
      await endOf(scene, order);
      scene.service.links.at(-1)?.socket.terminate();
      // The list does not name it any more either.
      scene.service.book.orders = [];
      const reportsBefore = scene.service.book.reportsOf(order).length;
      scene.service.book.acknowledges = true;
      await scene.linkAfter(1, limits.deadAfterMs);
      await scene.until(
        () => scene.service.book.reportsOf(order).length > reportsBefore,
        'its end was not reported again',
      );
    },
  },
  {
    name: 'report-refused',
    rule: 'When the service refuses a proof, the link stays open, and the next order is carried out',
    async run(scene) {
      const link = await linkForFiles(scene);
      scene.service.book.refusesProofs = true;
      await endOf(scene, orderFile(scene, content('refused')));
      scene.service.book.refusesProofs = false;
      const end = await endOf(scene, orderFile(scene, content('taken')));
      assertRule(end.status === 'applied', `of the next order was reported ${shown(end)}`);
      assertRule(!link.closed, `the link was closed with ${link.closed?.code} ${link.closed?.reason}`);
    },
  },
  {
    name: 'config',
    rule: 'Config is stored and reported as applied, with the digest of the payload as its proof',
    run: (scene) => proveConfig(scene, 1.2, true),
  },
  {
    name: 'payload-fetched',
    rule: 'A payload that is too large for the link is fetched by its digest, and its config stored as any other',
    run: (scene) => proveConfig(scene, 'x'.repeat(limits.maxPayloadInlineBytes), false),
  },
  {
    name: 'payload-digest',
    rule: 'An order whose payload has another digest is refused, and nothing of it is done',
    async run(scene) {
      await linkForFiles(scene);
      const text = content('payload');
      const end = await endOf(scene, orderFile(scene, text, { digest: sha256('another payload') }));
      assertRule(end.status === 'failed', `reported was ${shown(end)}`);
    },
  },
  {
    name: 'artifact-digest',
    rule: 'An artifact whose content has another digest than was ordered is not applied',
    async run(scene) {
      await linkForFiles(scene);
      const order = fileOrder(content('ordered'));
      const { release } = JSON.parse(order.payload ?? '{}') as { release: { artifact_sha256: string } };
      scene.service.artifacts.set(release.artifact_sha256, { content: Buffer.from(content('another')) });
      scene.service.book.give(order);
      const end = await endOf(scene, order);
      assertRule(['failed', 'rolled_back'].includes(end.status), `reported was ${shown(end)}`);
    },
  },
  {
    name: 'artifact-elsewhere',
    rule: 'A cache of the site and an object store get no token, and if they fail, the service is asked for the artifact',
    async run(scene) {
      await linkForFiles(scene);
      await using other = await startOtherHost();
      const text = content('elsewhere');
      const order = fileOrder(text, { artifact_base_url: `${other.url}/cache` });
      const elsewhere = `${other.url}/store/${sha256(text)}?signature=conformance`;
      scene.service.artifacts.set(sha256(text), { content: Buffer.from(text), elsewhere });
      scene.service.book.give(order);
      const end = await endOf(scene, order);
      const leak = other.requests.find((request) => /authorization|svc_/i.test(request));
      assertRule(leak === undefined, `another host was sent ${shown(leak)}`);
      assertRule(end.status === 'applied' && end.digest === sha256(text), `reported was ${shown(end)}`);
    },
  },
  {
    name: 'traceparent',
    rule: 'An order with a trace context is carried out like any other; only the last report of such an order may have steps',
    async run(scene) {
      await linkForFiles(scene);
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      for (const changes of [{ traceparent }, {}]) {
        const text = content(`traced by ${Object.keys(changes).join('') || 'nothing'}`);
        const order = orderFile(scene, text, changes);
        const end = await endOf(scene, order);
        assertRule(end.status === 'applied' && end.digest === sha256(text), `reported was ${shown(end)}`);
        const early = scene.service.book.reportsOf(order).find(({ status, steps }) => steps && status !== end.status);
        assertRule(early === undefined, `steps came with the status ${shown(early?.status)}`);
        assertRule('traceparent' in changes || end.steps === undefined, 'steps came without a trace context');
      }
    },
  },
  {
    name: 'no-handler',
    rule: 'An order of a kind that it cannot install fails as no_handler',
    async run(scene) {
      await scene.linked('orders');
      const order = orderOf('release:conformance', fileOrder('x').payload?.replace('"file"', '"conformance"') ?? '');
      scene.service.book.give(order);
      const end = await endOf(scene, order);
      assertRule(end.status === 'failed' && end.reason === 'no_handler', `reported was ${shown(end)}`);
    },
  },
  {
    name: 'cancel',
    rule: 'An order that is cancelled before it begins is reported as cancelled, and nothing of it is done',
    async run(scene) {
      await linkForFiles(scene);
      const text = content('cancelled');
      const end = await endOf(scene, orderFile(scene, text, { cancel: true }));
      assertRule(end.status === 'cancelled', `reported was ${shown(end)}`);
      assertRule(downloadsOf(scene, text) === 0, 'its artifact was downloaded');
    },
  },
  {
    name: 'cancel-midway',
    rule: 'An order that is cancelled in the middle of its download ends, as cancelled or with what became of it',
    async run(scene) {
      const link = await linkForFiles(scene);
      const text = content('midway');
      let release: () => void = () => undefined;
      const order = orderFile(scene, text, {}, new Promise((resolve) => (release = resolve)));
      await scene.until(() => downloadsOf(scene, text) > 0, 'its artifact was not asked for');
      scene.service.book.orders = [{ ...order, cancel: true }];
      scene.service.book.give();
      const beats = link.framesOf('heartbeat').length;
      await scene.until(() => link.framesOf('heartbeat').length > beats + 1, 'no heartbeats came during a download');
      release();
      const end = await endOf(scene, order);
      const isTrue = end.status === 'cancelled' || (end.status === 'applied' && end.digest === sha256(text));
      assertRule(isTrue, `reported was ${shown(end)}`);
    },
  },
  {
    name: 'window',
    rule: 'Outside of its window an order waits, is reported with `waiting_on`, and can be cancelled',
    async run(scene) {
      await linkForFiles(scene, 'windows');
      const { book } = scene.service;
      const openings = [{ cron: `0 0 ${farDay()} * *`, duration_s: 3_600 }];
      const order = orderFile(scene, content('window'), { window: { openings, zone: 'UTC', at_end: 'finish' } });
      const wait = await scene.until(
        () => book.reportsOf(order).find(({ progress }) => progress?.waiting_on)?.progress?.waiting_on,
        'no report said that the order waits',
      );
      assertRule(wait.holder === 'window', `it waits for ${shown(wait)}`);
      assertRule(!book.endOf(order), `it ended outside of its window: ${shown(book.endOf(order))}`);
      book.orders = [{ ...order, cancel: true }];
      book.give();
      const end = await endOf(scene, order);
      assertRule(end.status === 'cancelled', `reported was ${shown(end)}`);
    },
  },
];

/** A day of the month that no clock on Earth shows now. */
const farDay = () => ((new Date().getUTCDate() + 13) % 28) + 1;
