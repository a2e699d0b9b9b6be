import {
  contentBudget,
  htmlBudget,
  kilobyte,
  scriptBudgets,
  starterBudget,
  styleBudget,
} from '@clinic/contracts/budgets';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/clinic.ts';
import { recordFirstVisit, type LoadedFile } from '../support/network-log.ts';

/**
 * Maximum depth of request chains on a first visit: the page, which is read by then; the script that starts it, once somebody
 * uses it; its files; its data.
 */
const levelBudget = 4;

/** Scripts that a page runs before anybody uses it. They aren't part of the application. */
const starter = /^\/shell\/(?:first|start)\./;

/** Pages that most visitors only read. */
const readingPages = ['/', '/about', '/ourDoctors'];

/** Code only needed to sign in, or by staff. */
const notForVisitors = /\/mf\/mf-(?!public)|\/shell\/(?:auth|login|register|gallery|react-hook-form)\./;

/** The address that the login library talks to; identifies the library in any file. */
const loginLibrary = 'identitytoolkit.googleapis.com';

/** Adds up what was loaded, and keeps the sum with the test's results and in its output. */
async function measure(page: Page, route: string) {
  const files = await recordFirstVisit(page, route);
  const sum = (kind: LoadedFile['kind'], of = files): number =>
    of.filter((file) => file.kind === kind).reduce((total, { bytes }) => total + bytes, 0) / kilobyte;
  const result = {
    files,
    starter: sum(
      'script',
      files.filter(({ path }) => starter.test(path)),
    ),
    scripts: sum(
      'script',
      files.filter(({ path }) => !starter.test(path)),
    ),
    styles: sum('style'),
    html: sum('document'),
    levels: Math.max(...files.map(({ level }) => level)),
  };
  const { starter: started, scripts, styles, html, levels } = result;
  const line = `${route.padEnd(15)} starter ${started.toFixed(1)} kB, scripts ${scripts.toFixed(1)} kB, styles ${styles.toFixed(1)} kB, HTML ${html.toFixed(1)} kB, ${files.length} requests on ${levels} levels`;
  console.log(line);
  test.info().annotations.push({ type: 'first visit', description: line });
  const list = files
    .map(
      ({ path, kind, bytes, level }) =>
        `${level} ${kind.padEnd(8)} ${(bytes / kilobyte).toFixed(1).padStart(6)} kB ${path}`,
    )
    .join('\n');
  await test.info().attach('files', { body: list, contentType: 'text/plain' });
  return result;
}

for (const [route, limit] of Object.entries(scriptBudgets)) {
  test(`a first visit to ${route} keeps its budgets`, async ({ page }) => {
    const withContent = !['/login', '/register'].includes(route);
    const { files, starter: started, scripts, styles, html, levels } = await measure(page, route);
    expect.soft(started, 'kB of scripts before anybody uses the page').toBeLessThanOrEqual(starterBudget);
    expect.soft(scripts, 'kB of scripts after gzip').toBeLessThanOrEqual(limit);
    expect.soft(styles, 'kB of styles after gzip').toBeLessThanOrEqual(styleBudget);
    expect.soft(html, 'kB of HTML after gzip').toBeLessThanOrEqual(withContent ? contentBudget : htmlBudget);
    expect.soft(levels, 'rounds of requests').toBeLessThanOrEqual(levelBudget);
    const withLogin = files.filter(({ kind, text }) => kind === 'script' && text.includes(loginLibrary));
    if (readingPages.includes(route))
      expect(
        [...withLogin, ...files.filter(({ path }) => notForVisitors.test(path))].map(({ path }) => path),
        'meant for others',
      ).toEqual([]);
    // Without the library, the budget would miss most of the page's cost.
    else if (limit === scriptBudgets['/login']) expect(withLogin, 'files with the login’s library').toHaveLength(1);
  });
}
