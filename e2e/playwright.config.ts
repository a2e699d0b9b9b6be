import { join } from 'node:path';
import { defineConfig, type PlaywrightTestProject } from '@playwright/test';

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';

/** Set by the runner for a run of all files. */
const isWholeRun = process.env['CLINIC_WHOLE_RUN'] === 'true';

/** Debian's Firefox ESR, by WebDriver BiDi. */
const firefox: PlaywrightTestProject = {
  name: 'firefox',
  testMatch: ['**/journeys/*.e2e.ts'],
  // How many clicks something takes, and where links lead, is the same in all browsers.
  testIgnore: ['**/effort.e2e.ts', '**/every-link.e2e.ts'],
  grepInvert: /@any-engine/,
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: join(import.meta.dirname, 'src', 'engines', 'firefox.mjs'),
      args: [],
      firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
    },
  },
};

/** Debian's WebKitGTK has tests of its own: Playwright can't drive it. */
const webkit: PlaywrightTestProject = { name: 'webkit', testMatch: ['**/engines/webkit.e2e.ts'] };

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.e2e.ts',
  globalSetup: './src/support/start-clinic.ts',
  // The journeys on one device build on each other. Files wait for messages, deployments and one another: a third keeps two
  // cores busy meanwhile.
  fullyParallel: false,
  workers: 3,
  // Generous: they only make a test end that has failed, also on a busy machine.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: isWholeRun,
  // A browser can stall on a shared machine. The run's last lines name the tests that passed only on retry.
  retries: isWholeRun ? 1 : 0,
  reporter: [['list'], ['./src/support/progress-reporter.ts']],
  outputDir: '../test-results',
  use: {
    // Set by the global set-up; each worker reads the configuration again.
    baseURL: process.env['CLINIC_URL'],
    // A press that waits in vain then says for what, which the test's own limit doesn't.
    actionTimeout: 120_000,
    // A click must not land while the page is still scrolling smoothly; motion has its own tests.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing every test would add a third to the time, so with retries only the retry is traced.
    trace: isWholeRun ? 'on-first-retry' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      // Chromium loads no pages with libfaketime: `npm test -- --clock` moves their time (support/first-use.ts).
      ...(process.env['LD_PRELOAD'] && { env: { ...process.env, LD_PRELOAD: '' } as Record<string, string> }),
      // Pages don't prefetch on a slow network, so tests control what loads when; prefetching has its own tests.
      args: [
        '--force-effective-connection-type=3G',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    // First: its journeys, which build on each other, would leave the other workers idle at the end.
    // Metadata, sessions, budgets, federation, security and privacy are the same on every device.
    {
      name: 'phone',
      grepInvert: /@any-device/,
      testIgnore: [
        '**/engines/**',
        '**/every-page.e2e.ts',
        '**/every-link.e2e.ts',
        '**/found.e2e.ts',
        '**/session/**',
        '**/privacy/**',
        '**/budgets/**',
        '**/federation/**',
        '**/domain/**',
        '**/security/**',
        // What the office and doctors do at a desk, and what asks for the same on every device; what a phone would show otherwise is
        // looked at in its width in the same visit.
        '**/account/**',
        '**/admin/history.e2e.ts',
        '**/admin/overview-outages.e2e.ts',
        '**/admin/users.e2e.ts',
        '**/clinic/appointments.e2e.ts',
        '**/clinic/calendar-subscription.e2e.ts',
        '**/clinic/calendar.e2e.ts',
        '**/clinic/desk.e2e.ts',
        '**/clinic/front-desk.e2e.ts',
        '**/clinic/hours.e2e.ts',
        '**/clinic/waitlist.e2e.ts',
        '**/identity/**',
        '**/journeys/effort.e2e.ts',
        '**/logout.e2e.ts',
        '**/messages/**',
        '**/pharmacy/**',
        // Visits each page once, in all widths.
        '**/public/appearance.e2e.ts',
        '**/public/motion.e2e.ts',
      ],
      use: {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 1,
      },
    },
    { name: 'desktop', testIgnore: '**/engines/**', use: { viewport: { width: 1440, height: 900 } } },
    ...(process.env['FIREFOX_PATH'] ? [firefox] : []),
    ...(process.env['WEBKIT_DRIVER_PATH'] ? [webkit] : []),
  ],
});
