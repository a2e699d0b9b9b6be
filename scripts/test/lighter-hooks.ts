// Loaded before each file of node:test, which follows every promise of the process to find the test that a stray error
// belongs to. With services and their database in the same process, that takes a tenth of all processor time. Timers and
// sockets are still followed; a stray rejection fails its file, by name, instead of one test.
import hooks from 'node:async_hooks';

const original = hooks.createHook;
/** An option of Node 24 that its types don't have yet. */
const lighter = { trackPromises: false };
hooks.createHook = (callbacks) => original({ ...callbacks, ...lighter });
await import('node:test');
hooks.createHook = original;
