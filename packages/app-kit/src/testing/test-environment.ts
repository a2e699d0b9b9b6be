import { configure, getConfig } from '@testing-library/react';

/** The settings that the gateway writes into the page, and a time limit for busy machines; call it in `beforeAll`. */
export function prepareEnvironment(): void {
  // Test files in one process would receive each other's messages.
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  configure(({ getElementError }) => ({
    asyncUtilTimeout: 60_000,
    // A poll that finds nothing throws, often a hundred times in a test; the last error gets the page printed by `waitFor`.
    getElementError: (message, container) =>
      isPolling()
        ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
        : getElementError(message, container),
  }));
  const config = document.createElement('script');
  config.id = 'config';
  config.type = 'application/json';
  config.textContent = JSON.stringify({
    demoMode: true,
    emulator: true,
    firebase: { apiKey: 'k' },
    clinicTimeZone: 'Asia/Dhaka',
  });
  document.head.append(config);
}

/** Whether `findBy…` or `waitFor` tries its condition. */
function isPolling(): boolean {
  // Not in the library's types.
  const config: ReturnType<typeof getConfig> & { readonly _disableExpensiveErrorDiagnostics?: boolean } = getConfig();
  return config._disableExpensiveErrorDiagnostics === true;
}

/**
 * Keeps out of the output what a file's tests expect in the log: rejected and failed calls, and the given messages.
 * Anything else is still printed.
 *
 * @param messages - texts of `console.error` and `console.warn`, without what follows them
 */
export function muteExpectedLogs(...messages: readonly string[]): void {
  const expected: readonly unknown[] = ['Could not load', 'Could not save', ...messages];
  beforeEach(() => {
    for (const level of ['error', 'warn'] as const) {
      const print = console[level];
      jest.spyOn(console, level).mockImplementation((message?: unknown, ...more: unknown[]) => {
        if (!expected.includes(message)) print(message, ...more);
      });
    }
  });
  afterEach(() => jest.restoreAllMocks());
}
