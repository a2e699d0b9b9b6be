const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-jsdom');

/**
 * jest compiles each module anew for each test file, which takes a tenth of the processor time. A script is compiled once
 * per worker and runs in the global scope of each file.
 */
const { compileFunction } = vm;
const compiled = new Map();
vm.compileFunction = (code, parameters, options) => {
  const { filename, importModuleDynamically, parsingContext } = options;
  let known = compiled.get(filename);
  if (known?.code !== code) {
    const head = `(function (${parameters.join()}) {`;
    const current = {};
    try {
      const script = new vm.Script(`${head}${code}\n})`, {
        filename,
        columnOffset: -head.length,
        importModuleDynamically: (...asked) => current.import(...asked),
      });
      compiled.set(filename, (known = { code, script, current }));
    } catch {
      // Its error is the one that jest expects.
      return compileFunction(code, parameters, options);
    }
  }
  known.current.import = importModuleDynamically;
  return known.script.runInContext(parsingContext);
};

/** jsdom lacks the browsers' network APIs; Node's implement the same standard. */
const borrowed = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'TextEncoder',
  'TextDecoder',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'TransformStream',
  'WritableStream',
  'structuredClone',
];

/** Doesn't keep the process alive after the tests, unlike an open channel. */
class UnattendedChannel extends BroadcastChannel {
  constructor(name) {
    super(name);
    this.unref();
  }
}

module.exports = class extends TestEnvironment {
  /** @param config - `testEnvironmentOptions.timeZone`: the browser's IANA time zone; default UTC */
  constructor(config, context) {
    super(config, context);
    this.timeZone = config.projectConfig.testEnvironmentOptions.timeZone;
  }

  async setup() {
    await super.setup();
    this.timeZoneBefore = process.env.TZ;
    if (this.timeZone) process.env.TZ = this.timeZone;
    for (const name of borrowed) {
      // Node's Request rejects jsdom's own AbortSignal.
      Object.defineProperty(this.global, name, { value: globalThis[name], configurable: true, writable: true });
    }
    // jsdom has the dialog element, but can't open it.
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
    Object.defineProperty(this.global, 'BroadcastChannel', {
      value: UnattendedChannel,
      configurable: true,
      writable: true,
    });
  }
  async teardown() {
    if (this.timeZoneBefore === undefined) delete process.env.TZ;
    else process.env.TZ = this.timeZoneBefore;
    await super.teardown();
  }
};
