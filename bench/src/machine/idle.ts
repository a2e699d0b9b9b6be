import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { logInAs } from '../../../e2e/src/support/log-in.ts';
import { ensureChromium } from '../../../scripts/test/chromium.ts';
import { temporaryFolder, type Area } from '../support/area.ts';
import { startClinic } from '../support/clinic.ts';
import { cpuSecondsOf, familyOf } from '../support/processes.ts';
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
    ];
    return {
      how: 'Processor time of all the clinic’s processes (database, sign-in, services, front-ends, gateway) for a minute, first alone, then with four people who have five visible tabs each and do nothing.',
      rows,
    };
  },
};
