import { existsSync } from 'node:fs';
import { log } from '../log.ts';
import { install, mayInstall } from './debian.ts';

interface Engine {
  readonly name: string;
  /** The setting that names its program. */
  readonly setting: 'FIREFOX_PATH' | 'WEBKIT_DRIVER_PATH';
  readonly usual: string;
  /** Other programs it needs. */
  readonly needs: readonly string[];
  /** Debian's packages. */
  readonly packages: readonly string[];
}

const engines: readonly Engine[] = [
  {
    name: 'Firefox',
    setting: 'FIREFOX_PATH',
    usual: '/usr/bin/firefox-esr',
    needs: [],
    packages: ['firefox-esr'],
  },
  {
    name: 'WebKitGTK',
    setting: 'WEBKIT_DRIVER_PATH',
    usual: '/usr/bin/WebKitWebDriver',
    needs: ['/usr/bin/Xvfb'],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
];

const programOf = ({ setting, usual, needs }: Engine): string | undefined =>
  [process.env[setting] ?? '', usual].find((path) => path !== '' && [path, ...needs].every((one) => existsSync(one)));

/**
 * Finds the browsers beside Chromium in which the journeys run, or installs Debian's packages, provided this user may.
 * Logs which are left out.
 *
 * @returns the settings that name their programs, for Playwright's configuration
 */
export async function ensureOtherEngines(): Promise<Partial<Record<Engine['setting'], string>>> {
  const missing = engines.filter((engine) => programOf(engine) === undefined);
  if (missing.length > 0 && mayInstall()) {
    const packages = missing.flatMap((engine) => engine.packages);
    log(`Installing the Debian packages ${packages.join(', ')} …`);
    await install(...packages);
  }
  const found: Partial<Record<Engine['setting'], string>> = {};
  for (const engine of engines) {
    const program = programOf(engine);
    if (program !== undefined) found[engine.setting] = program;
    else log(`Not tested in ${engine.name}: install ${engine.packages.join(' and ')}, or set ${engine.setting}.`);
  }
  return found;
}
