import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLiveBuild, type LiveBuild } from './live-build.ts';

describe('a live build that polls rarely', () => {
  let root: string;
  let directory: string;
  let build: LiveBuild;
  let onRead: () => void = () => undefined;
  const open = async (quietPollMs: number): Promise<void> => {
    build = await openLiveBuild(directory, { pollMs: 5, quietPollMs, onRead: () => onRead() });
  };
  /** Waits for the next build. */
  const nextBuild = (): Promise<void> =>
    new Promise((resolve) => {
      onRead = resolve;
    });
  const served = (file: string): string | undefined => build.find(file)?.representations.identity?.body.toString();

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'live-build-'));
    directory = path.join(root, 'dist');
    await mkdir(path.join(directory, 'assets'), { recursive: true });
    await writeFile(path.join(directory, 'index.html'), 'one');
    await writeFile(path.join(directory, 'assets', 'note.txt'), 'one');
  });
  after(() => rm(root, { recursive: true }));

  it('reads a build when the system reports a change, also in a folder that was replaced', async () => {
    // Polls never fall within the test.
    await open(600_000);
    try {
      for (const text of ['two', 'three']) {
        const built = nextBuild();
        await writeFile(path.join(directory, 'index.html'), text);
        await built;
        assert.equal(served('/index.html'), text);
      }
      const replaced = nextBuild();
      await mkdir(path.join(root, 'next'));
      await writeFile(path.join(root, 'next', 'index.html'), 'four');
      await rename(directory, path.join(root, 'old'));
      await rename(path.join(root, 'next'), directory);
      await replaced;
      const changed = nextBuild();
      await writeFile(path.join(directory, 'index.html'), 'five');
      await changed;
      assert.equal(served('/index.html'), 'five');
    } finally {
      build.close();
    }
  });

  it('reads a build that the system doesn’t report', async () => {
    await mkdir(path.join(directory, 'assets'));
    await open(20);
    try {
      const built = nextBuild();
      await writeFile(path.join(directory, 'assets', 'note.txt'), 'two');
      await built;
      assert.equal(served('/assets/note.txt'), 'two');
    } finally {
      build.close();
    }
  });
});
