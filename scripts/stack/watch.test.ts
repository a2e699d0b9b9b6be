import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catchUp, type WatchTools } from './watch.ts';

/** Tools that record their use. @param broken - what fails to build or start */
function tools(broken: readonly string[] = []): WatchTools & { readonly did: string[]; readonly logged: string[] } {
  const did: string[] = [];
  const logged: string[] = [];
  return {
    did,
    logged,
    log: (text) => void logged.push(text),
    async build() {
      did.push('build');
      if (broken.includes('build'))
        throw new Error(
          "SyntaxError\nmf-clinic couldn't be built (see above). Fix it and save: it is built again automatically.",
        );
      return ['mf-clinic'];
    },
    async restart(name) {
      did.push(name);
      if (broken.includes(name)) throw new Error(`${name} ended with code 1:\nSyntaxError`);
    },
  };
}

test('a saved screen is built, and the developer is asked to reload', async () => {
  const { did, logged, ...rest } = tools();
  await catchUp(['mf-clinic'], rest);
  assert.deepEqual([did, logged], [['build'], ['Reload the page to see the change.']]);
});

test('a service that does not start does not hold up the others, and the message says that saving is enough', async () => {
  const { did, logged, ...rest } = tools(['svc-clinic']);
  await catchUp(['svc-clinic', 'gateway'], rest);
  assert.deepEqual(did, ['build', 'svc-clinic', 'gateway']);
  assert.deepEqual(logged.slice(1), [
    'Restarting svc-clinic …',
    'svc-clinic ended with code 1:\nSyntaxError\nsvc-clinic is not running (see above). Fix it and save: it is started again automatically.',
    'Restarting gateway …',
    'gateway is running the new code.',
  ]);
});

test('a screen that cannot be built gives the same advice, and services are restarted all the same', async () => {
  const { did, logged, ...rest } = tools(['build']);
  await catchUp(['packages/contracts', 'svc-identity'], rest);
  assert.deepEqual(did.slice(0, 2), ['build', 'svc-identity']);
  assert.match(logged[0] ?? '', /Fix it and save: it is built again automatically\.$/);
});
