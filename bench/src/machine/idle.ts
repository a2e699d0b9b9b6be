import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { logInAs } from '../../../e2e/src/support/clinic.ts';
import { ensureChromium } from '../../../scripts/test/chromium.ts';
import type { Area } from '../support/area.ts';
import { startClinic } from '../support/clinic.ts';
import type { Row } from '../support/results.ts';

/** Four people with five tabs each, all visible: headless browsers have no hidden tabs. */
const people = [
  { role: 'admin', landing: '/dash/admin', tabs: ['/dash/appoinments', '/dash/orders', '/dash/admin', '/'] },
  { role: 'doctor', landing: '/dash/doctorAppoinments', tabs: ['/dash/appointmentRecord', '/dash/myorders', '/', '/'] },
  { role: 'pharmacist', landing: '/dash/orders', tabs: ['/dash/medicine', '/dash/orders', '/dash/myorders', '/'] },
  { role: 'patient', landing: '/dash/patient', tabs: ['/dash/myorders', '/dash/patient', '/ourDoctors', '/'] },
] as const;

/** Milliseconds until caches, prefetches and pages are at rest. */
const settleMs = 20_000;

/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

export const idle: Area = {
  name: 'idle',
  title: 'Doing nothing',
  within: 300,
  async run({ effort, say, after }) {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'clinic-bench-idle-'));
    after(() => rmSync(dataDir, { recursive: true, force: true }));
    say('starting a clinic …');
    const clinic = await startClinic(dataDir);
    after(() => clinic.stop());
    const port = Number(new URL(clinic.url).port);
    const measure = async (): Promise<number> => {
      await pause(settleMs * Math.min(1, effort));
      const before = workOf(clinic.pid);
      const began = performance.now();
      await pause(60_000 * effort);
      return ((workOf(clinic.pid) - before) * 1000) / (performance.now() - began);
    };
    say('without visitors …');
    const alone = await measure();

    const browser = await chromium.launch({
      executablePath: await ensureChromium(),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    after(() => browser.close());
    let requests = 0;
    for (const { role, landing, tabs } of people) {
      const context = await browser.newContext({ baseURL: clinic.url });
      const first = await context.newPage();
      await logInAs(first, role, landing);
      for (const tab of tabs) await (await context.newPage()).goto(tab);
      context.on('request', () => (requests += 1));
    }
    say('with 20 open tabs …');
    await pause(settleMs * Math.min(1, effort));
    requests = 0;
    const began = performance.now();
    const open = await measure();
    const perMinute = (requests * 60_000) / (performance.now() - began);
    const rows: Row[] = [
      { what: 'processor time, no visitor', ours: { value: alone, unit: 'ms/s' } },
      { what: 'processor time, 20 open tabs', ours: { value: open, unit: 'ms/s' }, chart: 'idle with 20 open tabs' },
      { what: 'requests of the 20 tabs', ours: { value: perMinute, unit: 'a minute' } },
      { what: 'connections of browsers to the gateway', ours: { value: connectionsTo(port), unit: '' } },
      { what: 'connections between the parts', ours: { value: connectionsOf(clinic.pid), unit: '' } },
    ];
    return {
      how: 'Processor time of all the clinic’s processes (database, sign-in, services, front-ends, gateway) for a minute, first alone, then with four people who have five visible tabs each and do nothing.',
      rows,
      remarks: [],
    };
  },
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A process and all that it started. */
function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** The fields of `/proc/<pid>/stat` after the command's name (proc(5)); `undefined` if the process has exited. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that a process and all that it started have used. */
function workOf(root: number): number {
  return treeOf(root).reduce((sum, pid) => {
    const stat = statOf(pid);
    return sum + (stat ? (Number(stat[11]) + Number(stat[12])) * tickMs : 0);
  }, 0);
}

interface Connection {
  readonly localPort: number;
  readonly remotePort: number;
  readonly inode: string;
}

/** Established TCP connections of this machine. */
function connections(): Connection[] {
  return ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '01')
      .map((fields) => ({
        localPort: portOf(fields[1]),
        remotePort: portOf(fields[2]),
        inode: fields[9] ?? '',
      })),
  );
}

const portOf = (address = ''): number => Number.parseInt(address.split(':').at(-1) ?? '', 16);

const connectionsTo = (port: number): number => connections().filter(({ localPort }) => localPort === port).length;

/** Connections between the processes of the tree. */
function connectionsOf(root: number): number {
  const inodes = new Set(
    treeOf(root).flatMap((pid) => {
      try {
        return readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(pid, fd))?.[1] ?? '');
      } catch {
        return [];
      }
    }),
  );
  const held = connections().filter(({ inode }) => inodes.has(inode));
  const own = new Set(held.map(({ localPort }) => localPort));
  // A connection between our own processes appears twice, once for each end.
  return held.filter(({ remotePort }) => own.has(remotePort)).length / 2;
}

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return '';
  }
}
