// Which release visitors get is decided by svc-identity, and read from the front-ends' servers over the network. A volume mounted
// elsewhere by name would leave out every domain that is added later.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { frontEnds } from '../stack/parts.ts';
import { root } from '../stack/settings.ts';

const composed = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { volumes?: readonly unknown[]; networks?: readonly string[] }>;
};

test('a front-end’s releases are mounted into its own container alone, which the gateway reaches', () => {
  const { services } = composed;
  for (const frontEnd of frontEnds) {
    const volume = `releases-${frontEnd}:`;
    const mounting = Object.entries(services).filter(([, { volumes = [] }]) =>
      volumes.some((one) => String(one).startsWith(volume)),
    );
    assert.deepEqual(
      mounting.map(([name]) => name),
      [frontEnd],
    );
    assert.ok(services[frontEnd]?.networks?.every((network) => services['gateway']?.networks?.includes(network)));
  }
  assert.ok(services['gateway']?.networks?.includes('services'));
});
