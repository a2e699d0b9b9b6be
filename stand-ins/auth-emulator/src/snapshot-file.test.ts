import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSnapshot, readSnapshot } from './snapshot-file.ts';

describe('snapshot file', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  });

  after(() => rm(folder, { recursive: true }));

  it('reads as undefined before the first write', async () => {
    assert.equal(await readSnapshot(join(folder, 'none.json')), undefined);
  });

  it('is named in the error if it is not JSON', async () => {
    const file = join(folder, 'broken.json');
    await writeFile(file, '{');
    await assert.rejects(readSnapshot(file), {
      message: `${file} isn't a snapshot of accounts; move it away to start without accounts`,
    });
  });

  it('has every durable change once settled, in few writes', async () => {
    const file = join(folder, 'new', 'burst.json');
    let count = 0;
    let writes = 0;
    const snapshot = openSnapshot(file, () => {
      writes += 1;
      return { count };
    });
    const settled = Array.from({ length: 100 }, async () => {
      count += 1;
      const mine = count;
      snapshot.changed(true);
      await snapshot.settled();
      const stored = (await readSnapshot(file)) as { count: number };
      assert.ok(stored.count >= mine);
    });
    await Promise.all(settled);
    assert.ok(writes <= 3, `${writes} writes`);
    await snapshot.close();
  });

  it('writes other changes by the time it is closed', async () => {
    const file = join(folder, 'late.json');
    const snapshot = openSnapshot(file, () => 'content');
    snapshot.changed(false);
    await snapshot.settled();
    assert.equal(await readSnapshot(file), undefined);
    await snapshot.close();
    assert.equal(await readFile(file, 'utf8'), '"content"');
  });

  it('rejects while it can’t write, and recovers', async () => {
    const obstacle = join(folder, 'obstacle');
    await writeFile(obstacle, '');
    const file = join(obstacle, 'file.json');
    const snapshot = openSnapshot(file, () => 'content');
    snapshot.changed(true);
    await assert.rejects(snapshot.settled());
    await rm(obstacle);
    await snapshot.settled();
    await snapshot.close();
    assert.equal(await readSnapshot(file), 'content');
  });
});
