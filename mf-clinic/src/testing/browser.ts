import { queryClient } from '@clinic/app-kit/host';
import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';

/**
 * Prepares the simulated browser for all tests of a file: the settings that the gateway
 * writes into the page. Each test starts with an empty cache; rejected calls aren't logged.
 *
 * @param wide - the window is wide enough for every layout
 */
export function prepareBrowser({ wide = false } = {}): void {
  muteExpectedLogs();
  beforeEach(() => queryClient.clear());
  beforeAll(() => {
    prepareEnvironment();
    // The simulated browser has no layout to scroll.
    Element.prototype.scrollIntoView = () => undefined;
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
