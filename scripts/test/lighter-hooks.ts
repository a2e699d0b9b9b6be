// Loaded before each file of node:test, which follows every promise of the process to find the test that a stray error
// belongs to. With services and their database in the same process, that takes a third of all processor time. Timers and
// sockets are still followed; a stray rejection fails its file, by name, instead of one test.
import hooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks';

const original = hooks.createHook;
/** An option of Node 24 that its types don't have yet. */
const lighter = { trackPromises: false };
let ofAll: AsyncHook | undefined;
let ofPromises: AsyncHook | undefined;
hooks.createHook = (callbacks: HookCallbacks) => {
  ofPromises = original({
    init(...promise) {
      if (promise[1] === 'PROMISE') callbacks.init?.(...promise);
    },
    destroy(id) {
      callbacks.destroy?.(id);
    },
  });
  return (ofAll = original({ ...callbacks, ...lighter }));
};
await import('node:test');
hooks.createHook = original;

/** Follows promises meanwhile, so that tests which the work defines belong to the suite that does it. */
export async function followingPromises(work: () => Promise<unknown>): Promise<void> {
  ofPromises?.enable();
  try {
    await work();
  } finally {
    ofPromises?.disable();
    // Node 24 only stops following promises once no hook at all is left.
    ofAll?.disable().enable();
  }
}
