import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { meets, type AreaResult, type Figure, type Row } from '../support/results.ts';
import { chartOf } from './chart.ts';
import type { Kept } from './kept.ts';
import { machineOf } from './machine.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'results');

/**
 * Writes results/<date>.json and .md, and the same as latest.*, with a chart; keeps the figures of areas that were not
 * measured.
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
  const json = `${JSON.stringify(kept, undefined, 2)}\n`;
  const text = textOf(kept);
  for (const name of [kept.date, 'latest']) {
    writeFileSync(path.join(folder, `${name}.json`), json);
    writeFileSync(path.join(folder, `${name}.md`), text);
  }
  writeFileSync(path.join(folder, 'latest.svg'), chartOf(kept));
}

/** Prints an area's table to the terminal. */
export function printArea(result: AreaResult): void {
  console.log(sectionOf(result));
}

function textOf({ date, machine, areas }: Kept): string {
  const judged = areas.flatMap(({ rows }) => rows.flatMap((row) => row.judged ?? []));
  const missed = judged.filter((one) => !meets(one)).length;
  const head = [
    `# Figures of ${date}`,
    '',
    `${judged.length - missed} of ${judged.length} targets are met. Measured by \`npm run bench\` on ${machine.processors} × ${machine.model}, ${machine.memory} GB, ${machine.system}, Node ${machine.node}.`,
    'Absolute figures are the machine’s, ratios hold elsewhere. What is compared was measured in alternated rounds of one run; figures are medians unless something else is said.',
    '',
  ];
  return [...head, ...areas.map(sectionOf)].join('\n');
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
  const sign = judged?.better === 'less' ? '≤' : '≥';
  const target = judged
    ? `${sign} ${numberOf(judged.target)}${judged.as === 'figure' && ours.unit ? ` ${ours.unit}` : ''}`
    : '';
  const ratio = judged?.as === 'ratio' ? judged.value.toFixed(2) : '';
  return `| ${[what, figureOf(ours), peer ? figureOf(peer) : '', target, ratio, judged ? (meets(judged) ? '✓' : '**✗**') : ''].join(' | ')} |`;
}

function figureOf({ value, unit }: Figure): string {
  return unit === '' ? numberOf(value) : `${numberOf(value)} ${unit}`;
}

function numberOf(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
