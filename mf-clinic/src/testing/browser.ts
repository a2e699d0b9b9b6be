import { configure } from '@testing-library/react';

/**
 * Prepares the simulated browser for all tests of a file: time limits for a busy machine, the settings that the gateway writes
 * into the page, and dialogs that open.
 *
 * @param wide - the window is wide enough for every layout
 */
export function prepareBrowser({ wide = false } = {}): void {
  jest.setTimeout(30_000);
  configure({ asyncUtilTimeout: 5_000 });
  beforeAll(() => {
    // Node's channel to other tabs would keep the test process alive.
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    const config = document.createElement('script');
    config.id = 'config';
    config.type = 'application/json';
    config.textContent = JSON.stringify({ demoMode: true, emulator: true, firebase: {}, clinicTimeZone: 'Asia/Dhaka' });
    document.head.append(config);
    // jsdom's dialog element lacks its methods.
    HTMLDialogElement.prototype.showModal = function showModal() {
      this.open = true;
    };
    HTMLDialogElement.prototype.close = function close() {
      this.open = false;
    };
    if (wide)
      globalThis.matchMedia = (query) =>
        ({
          matches: true,
          media: query,
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as never;
  });
}
