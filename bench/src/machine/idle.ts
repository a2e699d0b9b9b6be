import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { logInAs } from '../../../e2e/src/support/log-in.ts';
import { ensureChromium } from '../../../scripts/test/chromium.ts';
import { temporaryFolder, type Area } from '../support/area.ts';
import { startClinic } from '../support/clinic.ts';
import { cpuSecondsOf, familyOf, ifThere } from '../support/processes.ts';
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

export const idle: Area = {
  name: 'idle',
  title: 'Doing nothing',
  within: 300,
  async run({ effort, say, after }) {
    say('starting a clinic …');
    const clinic = await startClinic(temporaryFolder({ after }, 'idle'));
    after(() => clinic.stop());
    const port = Number(new URL(clinic.url).port);
    const measure = async (): Promise<number> => {
      await pause(settleMs * Math.min(1, effort));
      const before = cpuSecondsOf(familyOf(clinic.pid));
      const began = performance.now();
      await pause(60_000 * effort);
      return ((cpuSecondsOf(familyOf(clinic.pid)) - before) * 1e6) / (performance.now() - began);
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
    };
  },
};

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

/** Connections between the processes of a family. */
function connectionsOf(root: number): number {
  const inodes = new Set(
    familyOf(root).flatMap((pid) =>
      (ifThere(() => readdirSync(`/proc/${pid}/fd`)) ?? []).map((fd) => {
        const link = ifThere(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? '';
        return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '';
      }),
    ),
  );
  const held = connections().filter(({ inode }) => inodes.has(inode));
  const own = new Set(held.map(({ localPort }) => localPort));
  // A connection between our own processes appears twice, once for each end.
  return held.filter(({ remotePort }) => own.has(remotePort)).length / 2;
}
