import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface Metrics {
  observe(operation: string | undefined, status: number, seconds: number): void;
  text(): Promise<{ type: string; body: string }>;
}

/** Prometheus metrics of this process: its requests by operation and status, whether the bus is up, and what prom-client reads of Node. */
export function createMetrics(state: { busUp(): boolean; poolUsed(): number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'fleet_http_requests_total',
    help: 'Requests to the API, by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'fleet_http_request_seconds',
    help: 'Time from request to answer, by operation',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  new Gauge({
    name: 'fleet_bus_up',
    help: 'Whether hints arrive from other replicas',
    registers,
    collect() {
      this.set(state.busUp() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'fleet_database_connections_used',
    help: 'Connections of the pool in use',
    registers,
    collect() {
      this.set(state.poolUsed());
    },
  });
  // prom-client sorts and joins the labels on each call; the few that there are keep their counters here.
  const counts = new Map<string, Counter.Internal>();
  const times = new Map<string, Histogram.Internal<'operation'>>();
  return {
    // A path that is no operation is counted as one kind: the caller chose its text, and each text would be a series of its own.
    observe(operation = 'none', status, elapsed) {
      const series = `${operation} ${status}`;
      let count = counts.get(series);
      if (!count) counts.set(series, (count = requests.labels({ operation, status })));
      count.inc();
      let time = times.get(operation);
      if (!time) times.set(operation, (time = seconds.labels({ operation })));
      time.observe(elapsed);
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}
