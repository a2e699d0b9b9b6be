import { defineConfig } from '@playwright/test';

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.e2e.ts',
  globalSetup: './src/support/start-clinic.ts',
  // The journeys of one device build on each other; two devices at a time keep two cores busy.
  fullyParallel: false,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env['CI']),
  // On a shared machine a browser can stall for reasons of its own; what passes only when repeated is named at the end.
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list'], ['json']],
  outputDir: '../test-results',
  use: {
    // Set by the global set-up; the configuration is read again in each worker.
    baseURL: process.env['CLINIC_URL'],
    // A click must not land on a page that still glides to the place it was sent to; motion has tests of its own.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test would cost a third of the time; where tests are repeated, the repetition has one.
    trace: process.env['CI'] ? 'on-first-retry' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      // On a slow network nothing is loaded ahead unasked, so that a test decides what comes when; loading ahead has tests of its own.
      args: ['--force-effective-connection-type=3G', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    // What pages say to programs, load, let run and survive is the same on every device.
    { name: 'phone', testIgnore: ['**/found.e2e.ts', '**/budgets/**', '**/federation/**', '**/domain/**', '**/security/**'], use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } },
  ],
});
