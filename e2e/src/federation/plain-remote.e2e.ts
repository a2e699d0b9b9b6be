import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { errorsOf } from '../support/clinic.ts';
import { markDocument } from '../support/outages.ts';
import { openTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { test } from '../support/first-use.ts';

const example = join(import.meta.dirname, '../../../examples/plain-remote');
const run = promisify(execFile);

/** Builds the example with its own configuration, as its README describes, with the packages of this repository. */
async function build(dist: string): Promise<void> {
  const webpack = `
    const { default: webpack } = await import('webpack');
    const { default: config } = await import('./webpack.config.mjs');
    webpack({ ...config, output: { ...config.output, path: ${JSON.stringify(dist)} } }).run((error, stats) => {
      if (error || stats.hasErrors()) throw error ?? new Error(stats.toString('errors-only'));
    });`;
  await run(process.execPath, ['--input-type=module', '--eval', webpack], { cwd: example });
  await run(process.execPath, ['publish.mjs', dist], { cwd: example });
}

test.describe('a remote of a team with a configuration of its own', () => {
  let dist: string;
  let testEnv: TestEnvironment;
  test.beforeAll(async ({ baseURL }) => {
    dist = await mkdtemp(join(tmpdir(), 'clinic-plain-remote-'));
    await build(dist);
    testEnv = await openTestEnvironment(String(baseURL), { remotes: { 'plain-remote': dist } });
  });
  test.afterAll(async () => {
    await testEnv.close();
    await rm(dist, { recursive: true, force: true });
  });

  test('has its place in the menu, and its page works with the shell’s React under the strict policy', async ({
    browser,
  }) => {
    const context = await browser.newContext({ baseURL: testEnv.url });
    const errors = errorsOf(context);
    const page = await context.newPage();
    await page.goto('/about');
    const sameDocument = await markDocument(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Plain', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Plain remote' })).toBeVisible();
    await expect(page).toHaveTitle(/^Plain remote · /);
    // State needs the shell's copy of React; the answer is in a chunk that webpack's own loader requests.
    await page.getByRole('button', { name: 'Ask for an opinion' }).click();
    await expect(page.getByText('Nothing here was built with the clinic’s own configuration.')).toBeVisible();
    await sameDocument();
    expect(errors).toEqual([]);
    await context.close();
  });

  test('passes the check before a deployment: its build recorded what it uses', async () => {
    const command = ['scripts/remote/main.ts', 'check', 'plain-remote', dist, '--clinic', testEnv.url];
    const { stdout } = await run(process.execPath, command, { cwd: join(example, '../..') });
    expect(stdout).toMatch(/^libraries +ok {2}1 shared libraries fit$/m);
    expect(stdout).toMatch(/may be deployed to \S+\.$/m);
  });
});
