import { meets, type Judged } from '../support/results.ts';
import type { Kept } from './kept.ts';

const lineHeight = 22;
const labelWidth = 270;
const barWidth = 300;
const width = labelWidth + barWidth + 130;
/** Position of the target, as a fraction of the bar's width. */
const targetAt = 0.5;

/** A chart of the key figures: each bar ends at the figure, the line is the target. Readable on light and dark. */
export function chartOf({ date, areas }: Kept): string {
  const bars = areas.flatMap(({ rows }) =>
    rows.flatMap(({ chart, judged, ours }) =>
      chart && judged ? [{ chart, judged, unit: judged.as === 'ratio' ? '' : ours.unit }] : [],
    ),
  );
  const height = 44 + bars.length * lineHeight;
  const target = labelWidth + barWidth * targetAt;
  const lines = bars.map(({ chart, judged, unit }, index) => {
    const y = 36 + index * lineHeight;
    const length = Math.max(2, Math.min(1, marginOf(judged) * targetAt) * barWidth);
    return [
      `<text x="${labelWidth - 8}" y="${y + 13}" text-anchor="end">${escape(chart)}</text>`,
      `<rect class="${meets(judged) ? 'met' : 'missed'}" x="${labelWidth}" y="${y + 2}" width="${length.toFixed(1)}" height="${lineHeight - 7}" rx="2"/>`,
      `<text x="${labelWidth + barWidth + 8}" y="${y + 13}">${escape(`${short(judged.value)} ${unit}`.trim())} <tspan class="quiet">(${judged.better === 'less' ? '≤' : '≥'} ${short(judged.target)})</tspan></text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t">`,
    `<title id="t">Figures of ${date} against their targets; longer is better</title>`,
    '<style>text{font:12px system-ui,sans-serif;fill:#24292f}.quiet{fill:#57606a}.met{fill:#2da44e}.missed{fill:#cf222e}line{stroke:#57606a}',
    '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}.met{fill:#3fb950}.missed{fill:#f85149}line{stroke:#9198a1}}</style>',
    `<text x="${target}" y="14" text-anchor="middle" class="quiet">target</text><text x="${labelWidth + barWidth}" y="14" text-anchor="end" class="quiet">longer is better</text>`,
    `<text x="8" y="14" class="quiet">${date}</text>`,
    ...lines,
    `<line x1="${target}" x2="${target}" y1="20" y2="${height - 6}" stroke-dasharray="3 3"/>`,
    '</svg>',
    '',
  ].join('\n');
}

/** A figure relative to its target: 1 is exactly on it, 2 is twice as good. */
function marginOf({ value, target, better }: Judged): number {
  if (better === 'more') return target === 0 ? 2 : value / target;
  return value === 0 ? 2 : target / value;
}

const short = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2 });

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
