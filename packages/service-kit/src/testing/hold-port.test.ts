import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdPort, isHeld } from './hold-port.ts';

const own = join(import.meta.dirname, 'hold-port.ts');

/** Holds ports in a process of its own until the test ends. */
async function holdElsewhere(t: { after(work: () => void): void }, wanted: number | undefined, count: number) {
  const script = `import { holdPort } from ${JSON.stringify(own)};
    const ports = [];
    for (let left = ${count}; left > 0; left -= 1) ports.push(await holdPort(${wanted}));
    console.log(JSON.stringify(ports));
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ports: JSON.parse(text.toString()) as number[] };
}

test('a port that one process holds is given to no other, though nothing listens on it yet', async (t) => {
  const held = await holdPort();
  const { ports } = await holdElsewhere(t, held, 1);
  assert.notEqual(ports[0], held);
  assert.deepEqual([await isHeld(held), await isHeld(ports[0] ?? 0)], [true, true]);
  // A server can use it.
  const server = createServer().listen(held, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

test('several processes that choose at once get different ports', async (t) => {
  const all = await Promise.all([1, 2, 3, 4].map(() => holdElsewhere(t, undefined, 100)));
  const ports = all.flatMap((one) => one.ports);
  assert.equal(new Set(ports).size, 400);
});

test('the port of a process that was killed is free again, and one that a server listens on is never given', async (t) => {
  const { child, ports } = await holdElsewhere(t, undefined, 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await isHeld(ports[0] ?? 0), false);
  const port = await holdPort(ports[0]);
  assert.equal(port, ports[0]);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  assert.notEqual(await holdPort(address.port), address.port);
  server.close();
});
