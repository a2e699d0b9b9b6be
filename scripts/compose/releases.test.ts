// Gateways and front-ends decide about canaries in folders that they share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { frontEnds } from '../stack/parts.ts';
import { root } from '../stack/settings.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const remotes = frontEnds.filter((name) => name !== 'shell');

test('the gateway mounts the releases of every remote, and may write there', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { volumes?: readonly string[] }>;
  };
  const mounted = new Set(services['gateway']?.volumes);
  const [, made = ''] = /^RUN install -d -o node -g node ((?:.*\\\n)*.*)$/m.exec(read('gateway/Dockerfile')) ?? [];
  const owned = new Set(made.split(/[\s\\]+/));
  for (const remote of remotes) {
    assert.deepEqual(services[remote]?.volumes, [`releases-${remote}:/var/lib/releases`]);
    assert.ok(mounted.has(`releases-${remote}:/var/lib/releases/${remote}`), `${remote} in docker-compose.yml`);
    assert.ok(owned.has(`/var/lib/releases/${remote}`), `${remote} in gateway/Dockerfile`);
  }
});
