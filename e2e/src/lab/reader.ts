import { ReleaseError } from '@clinic/static-server/releases';
import type { Browser, Page } from '@playwright/test';
import { openVisitors } from './visitors.ts';

/** A browser that reads a page, and what went wrong in it. */
export interface Reader {
  readonly page: Page;
  /** The remote's version in the HTML. */
  readonly version: string;
  readonly errors: readonly string[];
}

/** How long a gateway may send the page without its HTML, which it can't have in time, in milliseconds. */
const htmlWithin = 60_000;

/** What Chromium logs of a file that answers 404. */
const goneFile = /^(?:Failed to load resource|Refused to execute script .*\('text\/plain'\))/;

/** Opens a public page in a browser that only reads it. @throws Error if the page doesn't arrive as HTML */
export async function openReader(browser: Browser, address: string): Promise<Reader> {
  const context = await browser.newContext();
  // Who saves data gets the application with the first use only.
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // Files of a release that is gone are requested once more, by the names of the new one.
    if (message.type() === 'error' && !goneFile.test(message.text())) errors.push(message.text());
  });
  const end = Date.now() + htmlWithin;
  while (Date.now() < end) {
    // A page without it starts the application, which keeps a busy machine from rendering the next one in time.
    if (!(await (await context.request.get(address)).text()).includes('id="page"')) continue;
    await page.goto(address);
    const version = await page.evaluate(() => document.getElementById('page')?.dataset['version']);
    if (version !== undefined) return { page, version, errors };
  }
  throw new Error(`${address} doesn’t arrive as HTML`);
}

/** Uses the page, and waits until the application has taken its place. */
export async function touchPage({ page }: Reader): Promise<void> {
  await page.keyboard.press('Tab');
  await page.locator('#page').waitFor({ state: 'detached' });
}

/**
 * Lets somebody read a page while its remote is deployed anew, and then use it.
 *
 * @param deploy - returns the version once visitors get it
 * @returns what happened
 */
export async function deployUnderReader(address: string, deploy: () => Promise<string>): Promise<string> {
  const browser = await openVisitors();
  try {
    const reader = await openReader(browser, address);
    const version = await deploy();
    await touchPage(reader);
    const seen = reader.errors.length === 0 ? 'without an error' : `with errors: ${reader.errors.join('; ')}`;
    return `Somebody read ${reader.version}, pressed a key after ${version} was deployed, and could use the page ${seen}.`;
  } catch (error) {
    throw new ReleaseError(`The page couldn’t be read or used: ${String(error).split('\n', 1)[0]}`);
  } finally {
    await browser.close();
  }
}
