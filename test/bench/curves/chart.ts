/** Values of one line, by ascending x. */
export interface Series {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  title: string;
  x: string; // with its unit
  y: string;
  series: readonly Series[];
}

const [width, height] = [720, 360];
const plot = { left: 70, right: 680, top: 48, bottom: 300 };
/** Readable on white and on black. Lines also differ in their dashes, for those who cannot tell the colors apart. */
const colors = ['#2f81f7', '#d9730d', '#2da44e', '#a371f7'];
const dashes = ['none', '8 4', '2 4', '12 4 2 4'];

/** A line chart as SVG, both axes logarithmic. Its colors follow the reader's scheme. */
export function drawChart({ title, x, y, series }: Chart): string {
  const points = series.flatMap((one) => one.points);
  const across = scale(
    points.map((point) => point[0]),
    plot.left,
    plot.right,
  );
  const up = scale(
    points.map((point) => point[1]),
    plot.bottom,
    plot.top,
  );
  const parts = [
    text(plot.left, 22, title, 'class="title"'),
    text(plot.left, 40, y),
    text(plot.right, height - 30, x, 'text-anchor="end"'),
    ...across.ticks.flatMap((tick) => [
      line([across.at(tick), plot.top], [across.at(tick), plot.bottom]),
      text(across.at(tick), plot.bottom + 16, label(tick), 'text-anchor="middle"'),
    ]),
    ...up.ticks.flatMap((tick) => [
      line([plot.left, up.at(tick)], [plot.right, up.at(tick)]),
      text(plot.left - 8, up.at(tick) + 4, label(tick), 'text-anchor="end"'),
    ]),
    ...series.flatMap((one, index) => draw(one, index, (point) => [across.at(point[0]), up.at(point[1])])),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
<style>
  text { font: 12px system-ui, sans-serif; fill: #57606a; }
  .title { font-size: 14px; font-weight: 600; fill: #1f2328; }
  .grid { stroke: #d0d7de; stroke-width: 1; }
  .back { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; } .title { fill: #f0f6fc; } .grid { stroke: #3d444d; } .back { fill: #0d1117; }
  }
</style>
<rect class="back" width="${width}" height="${height}" />
${parts.join('\n')}
</svg>
`;
}

type Place = readonly [number, number];

function draw({ name, points }: Series, index: number, at: (point: Place) => Place): string[] {
  const color = colors[index % colors.length] ?? '';
  const dash = dashes[index % dashes.length] ?? '';
  const places = points.map(at);
  const path = places.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
  const legendX = plot.left + 160 * index;
  return [
    `<polyline fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}" points="${path}" />`,
    ...places.map(([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" fill="${color}" />`),
    `<line x1="${legendX}" y1="${height - 12}" x2="${legendX + 24}" y2="${height - 12}" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}" />`,
    text(legendX + 30, height - 8, name),
  ];
}

/** A logarithmic axis of a decade at least, so that little looks like little. Below one and a half it has steps of 1, 2 and 5. */
function scale(values: readonly number[], from: number, to: number) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const steps = Math.log10(high / low) < 1.5 ? [1, 2, 5] : [1];
  const all = Array.from({ length: 24 }, (_each, index) => 10 ** (index - 9)).flatMap((decade) =>
    steps.map((step) => step * decade),
  );
  const first = all.findLast((tick) => tick <= low) ?? low;
  const last = all.find((tick) => tick >= high && tick >= 9.99 * first) ?? high;
  const at = (value: number) => from + (Math.log(value / first) / Math.log(last / first)) * (to - from);
  return { at, ticks: all.filter((tick) => tick >= first && tick <= last) };
}

const line = ([x1, y1]: Place, [x2, y2]: Place): string =>
  `<line class="grid" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" />`;
const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${escape(content)}</text>`;
const round = (value: number): number => Math.round(value * 10) / 10;
const label = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });
const escape = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
