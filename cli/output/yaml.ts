import { safeJson } from './safe.ts';

/**
 * A JSON value as YAML. A string that YAML could read as another type is written in JSON's quotes, which YAML also
 * accepts. Written by hand: a library does not quote what is unsafe on a terminal, and every command would load it.
 */
export function toYaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]'];
    return value.flatMap((item) => lines(item).map((text, index) => (index === 0 ? `- ${text}` : `  ${text}`)));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return ['{}'];
    return entries.flatMap(([key, item]) =>
      isNested(item) ? [`${scalar(key)}:`, ...indent(lines(item))] : [`${scalar(key)}: ${lines(item).join('')}`],
    );
  }
  return [scalar(value)];
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0;
const indent = (texts: readonly string[]) => texts.map((text) => `  ${text}`);

const plain = /^[A-Za-z_][A-Za-z0-9_.@/-]*$/;
const reserved = /^(true|false|null|yes|no|on|off|y|n)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return plain.test(value) && !reserved.test(value) ? value : safeJson(JSON.stringify(value));
}
