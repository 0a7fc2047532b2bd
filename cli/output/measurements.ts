/** A measured value of a robot as text, and whether it needs attention. */
export type MeasureName = 'battery' | 'cpu' | 'memory' | 'disk' | 'temperature' | 'delay';

const units: Readonly<Record<MeasureName, string>> = {
  battery: '%',
  cpu: '%',
  memory: '%',
  disk: '%',
  temperature: ' °C',
  delay: ' ms',
};
/** Values from which on a cell has the color of a warning, and of a problem; for `battery` below which. */
const thresholds: Readonly<Record<MeasureName, readonly [number, number]>> = {
  battery: [30, 15],
  cpu: [80, 95],
  memory: [80, 90],
  disk: [80, 90],
  temperature: [70, 80],
  delay: [500, 1_000],
};

export const measureText = (name: MeasureName, value: number | undefined) =>
  value === undefined ? '' : `${Math.round(value)}${units[name]}`;

export function measureTone(name: MeasureName, value: number | undefined): 'warn' | 'bad' | undefined {
  if (value === undefined) return undefined;
  const [warn, bad] = thresholds[name];
  if (name === 'battery') return value < bad ? 'bad' : value < warn ? 'warn' : undefined;
  return value >= bad ? 'bad' : value >= warn ? 'warn' : undefined;
}
