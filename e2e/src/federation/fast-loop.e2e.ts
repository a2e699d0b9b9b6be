import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Doctor } from '@clinic/contracts';
import { expect, test } from '@playwright/test';
import { logInAs } from '../support/clinic.ts';
import { copyRepository } from '../support/copy-repository.ts';

// Starts a separate clinic from a copy of the sources, which the test changes.
test.setTimeout(300_000);

let copy: string;
let clinic: ChildProcess;
let address: string;
let output = '';

test.beforeAll(async () => {
  copy = await copyRepository();
  const port = await freePort();
  address = `http://localhost:${port}`;
  clinic = spawn(join(copy, 'node_modules/node/bin/node'), ['scripts/stack/main.ts', '--watch', 'mf-clinic'], {
    cwd: copy,
    env: { ...process.env, PORT: String(port), DATA_DIR: join(copy, '.data'), STARTED_AT: String(Date.now()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    for (const stream of [clinic.stdout, clinic.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Working on mf-clinic and svc-clinic')) resolve();
      });
    clinic.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output}`)));
  });
});

test.afterAll(async () => {
  const exited = once(clinic, 'exit');
  clinic.kill('SIGINT');
  await exited;
  await rm(copy, { recursive: true, force: true });
});

test('a saved change shows in the open page, which keeps what was typed', async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: address })).newPage();
  const loads: string[] = [];
  await logInAs(page, 'patient', '/dash/patient');
  const [doctor] = (await (await page.request.get('/doctors')).json()) as readonly Doctor[];
  await page.goto(`/appoinment/${doctor?._id}`);
  await expect(page.getByRole('complementary', { name: 'Local builds' })).toContainText('mf-clinic');
  // The page fills in what it knows of the patient.
  await expect(page.getByLabel('Address')).not.toHaveValue('', { timeout: 60_000 });
  await page.getByLabel('Address').fill('7 Elm Street');
  page.on('load', () => loads.push(page.url()));

  const took = {
    // In a component that the page's other modules render.
    component: await save('booking/patient-fields.tsx', 'label="Age"', 'label="Age today"', () =>
      page.getByLabel('Age today').waitFor({ timeout: 30_000 }),
    ),
    // In the module that is exposed, which exports no component.
    page: await save('booking/booking-page.tsx', 'title="Book Appointment"', 'title="Book a Visit"', () =>
      page.getByRole('heading', { name: 'Book a Visit' }).waitFor({ timeout: 30_000 }),
    ),
  };
  expect(await page.getByLabel('Address').inputValue()).toBe('7 Elm Street');
  expect(loads).toEqual([]);
  test.info().annotations.push({ type: 'milliseconds', description: JSON.stringify(took) });
  console.log(`Shown after ${JSON.stringify(took)} ms`);

  // A reload shows the changed page, too.
  await page.reload();
  await expect(page.getByLabel('Age today')).toBeVisible();
  await page.context().close();
});

/** Changes a file of mf-clinic. @returns milliseconds until the page shows it */
async function save(file: string, from: string, to: string, shown: () => Promise<void>): Promise<number> {
  const path = join(copy, 'mf-clinic/src', file);
  const before = await readFile(path, 'utf8');
  expect(before).toContain(from);
  const begun = performance.now();
  await writeFile(path, before.replace(from, to));
  await shown();
  return Math.round(performance.now() - begun);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
