import { kilobyte, readingBudget, releaseBudget, scriptBudgets, starterBudget } from '@clinic/contracts/budgets';
import type { Browser } from '@playwright/test';
import { openVisitors } from '../lab/visitors.ts';
import { expect, test } from '../support/clinic.ts';
import { readPage, roundsOf, scriptsOf, slow4g, transferOf, usePage, type ReadPage } from '../support/reading.ts';

/** Round trips so long that a page's own work doesn't look like one. */
const farAway = { latency: 1_000, throughput: 10_000_000 };

/** On a busy machine a page may come without its HTML. */
async function read(browser: Browser, address: string): Promise<ReadPage> {
  let opened: ReadPage | undefined;
  await expect(async () => {
    opened = await readPage(browser, address, { network: slow4g });
  }).toPass();
  if (!opened) throw new Error(`${address} could not be read`);
  return opened;
}

for (const route of ['/', '/ourDoctors', '/medicinestore']) {
  test(`${route} is small for who reads it, and is used after one round of requests`, async ({ baseURL }) => {
    // The other tests' browser takes each network for a slower one, on which it loads images from farther away.
    await using opened = new AsyncDisposableStack();
    const browser = await openVisitors();
    opened.defer(() => browser.close());
    await using reading = await read(browser, String(baseURL) + route);
    const { page, transferred, slowDown } = reading;
    const first = transferred();
    expect.soft(transferOf(first) / kilobyte, 'kB of everything').toBeLessThanOrEqual(readingBudget);
    expect.soft(scriptsOf(first) / kilobyte, 'kB of scripts').toBeLessThanOrEqual(starterBudget);

    await slowDown(farAway);
    await usePage(reading);
    const used = transferred();
    const [, ...later] = roundsOf(used.filter(({ path }) => !/favicon/.test(path)));
    expect(later.flat().map(({ path }) => path)).toEqual([]);

    // Names of files change with their content. React, the other libraries, the kit and the federation's host stay.
    const released = used.filter(({ path }) => /^\/shell\/main\.|\/entry\./.test(path));
    expect(released).toHaveLength(2);
    const again = scriptsOf(released) / kilobyte;
    expect
      .soft(again, 'kB that a release of shell and remote makes visitors load again')
      .toBeLessThanOrEqual(releaseBudget);

    const hasRest = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('/shell/later.'));
    await page.waitForFunction(hasRest, undefined, { timeout: 60_000 });
    await page.waitForLoadState('networkidle');
    const scripts = scriptsOf([...first, ...used, ...transferred()]) / kilobyte;
    const line = `${route}: ${(transferOf(first) / kilobyte).toFixed(1)} kB read, scripts ${(scriptsOf(first) / kilobyte).toFixed(1)} kB at first, ${scripts.toFixed(1)} kB in all, ${again.toFixed(1)} kB with a release`;
    console.log(line);
    expect(scripts, 'kB of scripts as they are served, after all has loaded').toBeLessThanOrEqual(
      scriptBudgets[route] ?? 0,
    );
  });
}
