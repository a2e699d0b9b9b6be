import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { meets, type AreaResult, type Figure, type Judged, type Row } from '../support/results.ts';
import { chartOf } from './chart.ts';
import { machineOf, type Kept } from './kept.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'results');

/**
 * Writes results/latest.json, its targets as a table and its chart; keeps the figures of areas that were not measured.
 */
export function keepResults(results: readonly AreaResult[]): void {
  mkdirSync(folder, { recursive: true });
  const latest = path.join(folder, 'latest.json');
  const before = existsSync(latest) ? (JSON.parse(readFileSync(latest, 'utf8')) as Kept).areas : [];
  const names = new Set(results.map(({ name }) => name));
  const kept: Kept = {
    date: new Date().toISOString().slice(0, 10),
    machine: machineOf(),
    areas: [...before.filter(({ name }) => !names.has(name)), ...results],
  };
  writeFileSync(latest, `${JSON.stringify(kept, undefined, 2)}\n`);
  writeFileSync(path.join(folder, 'latest.md'), targetsOf(kept));
  writeFileSync(path.join(folder, 'latest.svg'), chartOf(kept));
}

/** Prints an area's table to the terminal. */
export function printArea(result: AreaResult): void {
  console.log(sectionOf(result));
}

/** Everything that has a target, as one table. Figures without one, peers and remarks are in latest.json. */
function targetsOf({ date, machine, areas }: Kept): string {
  const rows = areas.flatMap(({ name, rows: all }) =>
    all.flatMap(({ what, ours, judged }) => (judged ? [{ name, what, unit: ours.unit, judged }] : [])),
  );
  const missed = rows.filter(({ judged }) => !meets(judged)).length;
  const lines = rows.map(({ name, what, unit, judged }, at) => {
    const measured = judged.as === 'ratio' ? judged.value.toFixed(2) : figureOf({ value: judged.value, unit });
    const cells = [rows[at - 1]?.name === name ? '' : name, what, targetOf(judged, unit), measured];
    return `|${cells.join('|')}|${meets(judged) ? '' : '**missed**'}|`;
  });
  return [
    `# Figures of ${date}`,
    '',
    `${rows.length - missed} of ${rows.length} targets are met. Measured by \`npm run bench\` on ${machine.processors} × ${machine.model}, ${machine.memory} GB, Node ${machine.node}. A figure without a unit is a ratio to the peer. [latest.json](latest.json) also has the peers and the figures without a target.`,
    '',
    '|area|what|target|measured||',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function sectionOf({ title, how, peerName, rows, remarks, seconds, measuredAt, load }: AreaResult): string {
  const lines = [
    `## ${title}`,
    '',
    `${how} (${measuredAt.slice(0, 16).replace('T', ' ')} UTC, load before ${load}, ${seconds} s)`,
    '',
    `| what | ours | ${peerName ?? 'peer'} | target | ratio | ok |`,
    '|---|---|---|---|---|---|',
    ...rows.map(lineOf),
    '',
  ];
  const notes = rows.flatMap(({ what, note }) => (note === undefined ? [] : [`- ${what}: ${note}`]));
  const all = [...notes, ...remarks.map((remark) => `- ${remark}`)];
  return [...lines, ...(all.length > 0 ? [...all, ''] : [])].join('\n');
}

function lineOf({ what, ours, peer, judged }: Row): string {
  const target = judged ? targetOf(judged, ours.unit) : '';
  const ratio = judged?.as === 'ratio' ? judged.value.toFixed(2) : '';
  return `| ${[what, figureOf(ours), peer ? figureOf(peer) : '', target, ratio, judged ? (meets(judged) ? '✓' : '**✗**') : ''].join(' | ')} |`;
}

function targetOf({ better, target, as }: Judged, unit: string): string {
  const sign = better === 'less' ? '≤' : '≥';
  return `${sign} ${as === 'ratio' ? numberOf(target) : figureOf({ value: target, unit })}`;
}

function figureOf({ value, unit }: Figure): string {
  return unit === '' ? numberOf(value) : `${numberOf(value)} ${unit}`;
}

function numberOf(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
