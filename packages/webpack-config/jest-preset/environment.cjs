const { TestEnvironment } = require('jest-environment-jsdom');

/** jsdom lacks what every browser has for network calls; Node's own are the same standard. */
const borrowed = [
  'fetch', 'Request', 'Response', 'Headers', 'TextEncoder', 'TextDecoder', 'AbortController', 'AbortSignal',
  'ReadableStream', 'TransformStream', 'WritableStream', 'structuredClone',
];

/** An open channel would keep the test process alive when all is done. */
class UnattendedChannel extends BroadcastChannel {
  constructor(name) {
    super(name);
    this.unref();
  }
}

module.exports = class extends TestEnvironment {
  /** @param config - `testEnvironmentOptions.timeZone`: where the browser is, IANA name; UTC unless told */
  constructor(config, context) {
    super(config, context);
    this.timeZone = config.projectConfig.testEnvironmentOptions.timeZone;
  }

  async setup() {
    await super.setup();
    this.timeZoneBefore = process.env.TZ;
    if (this.timeZone) process.env.TZ = this.timeZone;
    for (const name of borrowed) {
      // jsdom's own AbortSignal is refused by Node's Request.
      Object.defineProperty(this.global, name, { value: globalThis[name], configurable: true, writable: true });
    }
    // jsdom knows the dialog element, but not how to open it.
    const dialog = this.global.HTMLDialogElement.prototype;
    if (!('showModal' in dialog)) {
      Object.assign(dialog, {
        showModal() {
          this.open = true;
        },
        close() {
          this.open = false;
        },
      });
    }
    Object.defineProperty(this.global, 'BroadcastChannel', { value: UnattendedChannel, configurable: true, writable: true });
  }
  async teardown() {
    if (this.timeZoneBefore === undefined) delete process.env.TZ;
    else process.env.TZ = this.timeZoneBefore;
    await super.teardown();
  }
};
