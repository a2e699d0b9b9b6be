import { existsSync } from 'node:fs';
import { log, UserError } from '../log.ts';
import { install, mayInstall } from './debian.ts';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Debian's Chromium without a user interface: the same engine, and a quarter less processor time for a test. */
const shell = '/usr/bin/chromium-headless-shell';
const fonts = ['fonts-liberation', 'fonts-noto-core'];

const find = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', ...usual].find((path) => path !== '' && existsSync(path));

/**
 * Path of a Chromium for tests that show no window: Debian's chromium-headless-shell where it can be had, otherwise any.
 *
 * @throws UserError that says what to install if there is none
 */
export async function ensureHeadlessChromium(): Promise<string> {
  if (process.env['CHROMIUM_PATH']) return ensureChromium();
  if (!existsSync(shell) && mayInstall()) {
    log('Installing the Debian package chromium-headless-shell …');
    await install('chromium-headless-shell', ...fonts);
  }
  return existsSync(shell) ? shell : ensureChromium();
}

/**
 * Path of a whole Chromium, which can also show a window. If none is found, installs Debian's package, provided this user may.
 *
 * @throws UserError that says what to install otherwise
 */
export async function ensureChromium(): Promise<string> {
  const found = find();
  if (found) return found;
  if (mayInstall()) {
    log('No Chromium found: installing the Debian package chromium …');
    await install('chromium', ...fonts);
    const installed = find();
    if (installed) return installed;
  }
  throw new UserError(
    'The tests in the browser need Chromium: install it (Debian: apt-get install chromium), or set the path of an installed one: CHROMIUM_PATH=/path/to/chrome npm test',
  );
}
