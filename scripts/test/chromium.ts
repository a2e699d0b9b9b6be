import { existsSync } from 'node:fs';
import { say, UserError } from '../say.ts';
import { exec } from './exec.ts';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const find = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', ...usual].find((path) => path !== '' && existsSync(path));

/**
 * Path of a real Chromium for the browser tests. If none is found, installs Debian's package, provided this user may.
 *
 * @throws UserError that says what to install otherwise
 */
export async function ensureChromium(): Promise<string> {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('No Chromium found: installing the Debian package chromium …');
    const quiet = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } };
    await exec('apt-get', ['update', '-qq'], quiet);
    await exec(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation', 'fonts-noto-core'],
      quiet,
    );
    const installed = find();
    if (installed) return installed;
  }
  throw new UserError(
    'The tests in the browser need Chromium: install it (Debian: apt-get install chromium), or set the path of an installed one: CHROMIUM_PATH=/path/to/chrome npm test',
  );
}
