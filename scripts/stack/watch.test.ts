import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catchUp, type Workshop } from './watch.ts';

/** A workshop that notes what it did. @param broken - what can't be built or started */
function workshop(broken: readonly string[] = []): Workshop & { readonly did: string[]; readonly said: string[] } {
  const did: string[] = [];
  const said: string[] = [];
  return {
    did, said,
    say: (text) => void said.push(text),
    async build() {
      did.push('build');
      if (broken.includes('build')) throw new Error('SyntaxError\nmf-clinic could not be built (see above). Mend it and save: it is built again by itself.');
      return ['mf-clinic'];
    },
    async restart(name) {
      did.push(name);
      if (broken.includes(name)) throw new Error(`${name} ended with code 1:\nSyntaxError`);
    },
  };
}

test('a saved screen is built, and whoever saved it is told to reload', async () => {
  const { did, said, ...rest } = workshop();
  await catchUp(['mf-clinic'], rest);
  assert.deepEqual([did, said], [['build'], ['Reload the page to see it.']]);
});

test('a service that does not start keeps nobody else from the new code, and says that saving is enough', async () => {
  const { did, said, ...rest } = workshop(['svc-clinic']);
  await catchUp(['svc-clinic', 'gateway'], rest);
  assert.deepEqual(did, ['build', 'svc-clinic', 'gateway']);
  assert.deepEqual(said.slice(1), [
    'Restarting svc-clinic …', 'svc-clinic ended with code 1:\nSyntaxError\nsvc-clinic is not running (see above). Mend it and save: it is started again by itself.',
    'Restarting gateway …', 'gateway runs what you saved.',
  ]);
});

test('a screen that can not be built says that saving is enough, too, and services are restarted all the same', async () => {
  const { did, said, ...rest } = workshop(['build']);
  await catchUp(['packages/contracts', 'svc-identity'], rest);
  assert.deepEqual(did.slice(0, 2), ['build', 'svc-identity']);
  assert.match(said[0] ?? '', /Mend it and save: it is built again by itself\.$/);
});
