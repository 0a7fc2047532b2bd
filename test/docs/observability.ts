import { parse } from 'yaml';
import { blocksOf, documentAt, documentsIn, type Document } from '../support/documents.ts';

interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}
type Rule = AlertRule | { record: string; expr: string; labels: Record<string, string> };

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { type: string; uid: string };
  targets?: { refId: string; expr: string; legendFormat?: string; datasource?: { type: string; uid: string } }[];
  fieldConfig?: { defaults: { unit?: string; thresholds?: { steps: { color: string; value: number | null }[] } } };
}

export interface Dashboard {
  title: string;
  uid: string;
  description: string;
  schemaVersion: number;
  tags: string[];
  templating: { list: { name: string; type: string; query: unknown }[] };
  panels: Panel[];
}

const folder = 'docs/examples/observability';

const rules = (parse(documentAt(`${folder}/alerts.yaml`).text) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
export const alerts = rules.filter((rule): rule is AlertRule => 'alert' in rule);
export const recorded = rules.flatMap((rule) => ('record' in rule ? [rule.record] : []));
export const runbooks: Document[] = documentsIn('docs/runbooks', '.md');
export const dashboards = documentsIn(`${folder}/dashboards`, '.json').map(({ path, text }) => ({
  path,
  dashboard: JSON.parse(text) as Dashboard,
}));

const guides = ['docs/how-to/monitor.md', 'docs/how-to/production.md'].map((path) => documentAt(path));
const blocksIn = (language: string) =>
  [...runbooks, ...guides].flatMap((document) =>
    blocksOf(document)
      .filter((block) => block.language === language)
      .map(({ text }) => ({ place: document.path, text: text.trim() })),
  );
export const statements = blocksIn('sql');

/** As Grafana fills in the variables of a dashboard for all replicas. */
const filledIn = (expr: string) =>
  expr.replaceAll('$__rate_interval', '15s').replaceAll('$__range', '1m').replaceAll('$replica', '.*');

/** Every expression for Prometheus of alerts, dashboards, runbooks and the guide, with its place. */
export const expressions = [
  ...rules.map((rule) => ({
    place: 'alert' in rule ? rule.alert : `${rule.record} ${rule.labels['objective']}`,
    expr: rule.expr,
  })),
  ...dashboards.flatMap(({ path, dashboard }) =>
    dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ place: `${path} ${title}`, expr: filledIn(expr) })),
    ),
  ),
  ...blocksIn('promql').map(({ place, text }) => ({ place, expr: text })),
];

/** The names of the metrics in an expression of Prometheus. */
export const metricsIn = (expr: string): string[] => [
  ...new Set(expr.replaceAll(/"[^"]*"/g, '').match(/\b(?:fleet[_:]|nodejs_|process_)\w+(?::\w+)*/g)),
];
