import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import type { TestEnvironment, TestFrontEnd } from './test-environment.ts';

const digest = /\.[0-9a-f]{20}\./g;

/** Replaces each digest in a file name or reference by one of the same length. */
const renamed = (text: string, mark: string): string =>
  text.replaceAll(digest, (old) => `.${mark.repeat(4)}${old.slice(5, -1)}.`);

/** Integrity digest of a file, as builds write it. */
export const integrityOf = (content: Buffer | string): string =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`;

const isHashes = (file: string): boolean => basename(file).startsWith('hashes.');

/** Changes a script of a build, as if it had been built so. */
export async function changeScript(folder: string, name: string, change: (text: string) => string): Promise<void> {
  const script = join(folder, name);
  const before = await readFile(script, 'utf8');
  const after = change(before);
  await writeFile(script, after);
  const changed = [[integrityOf(before), integrityOf(after)] as const];
  const lists = (await readdir(folder)).filter((one) => one.endsWith('.json'));
  for (const list of lists.toSorted((a, b) => Number(isHashes(b)) - Number(isHashes(a)))) {
    const text = await readFile(join(folder, list), 'utf8');
    const renewed = changed.reduce((all, [old, now]) => all.replaceAll(old, now), text);
    if (isHashes(list)) changed.push([integrityOf(text), integrityOf(renewed)]);
    await writeFile(join(folder, list), renewed);
  }
}

/**
 * Deploys what the next build would be: the same code under other file names, replacing the previous build.
 *
 * @param mark - a hexadecimal digit; the digests of its files begin with four of them
 */
export async function deploy({ dist }: TestFrontEnd, mark: string, version?: string): Promise<void> {
  const files = (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  // They also appear in texts without dots, e.g. an entry's table of chunks.
  const digests = new Set(files.flatMap((file) => [...file.matchAll(digest)].map(([found]) => found.slice(1, -1))));
  const changed = new Map<string, string>();
  const swap = (text: string): string =>
    [...digests].reduce((all, old) => all.replaceAll(old, mark.repeat(4) + old.slice(4)), text);
  for (const file of files.filter((name) => /\.(?:js|css)$/.test(name))) {
    const before = await readFile(file);
    const after = swap(before.toString());
    changed.set(integrityOf(before), integrityOf(after));
    await writeFile(file, after);
  }
  const lists = files.filter((name) => /\.(?:html|json)$/.test(name));
  // Their digests are in the others.
  for (const file of lists.toSorted((a, b) => Number(isHashes(b)) - Number(isHashes(a)))) {
    const before = await readFile(file, 'utf8');
    const text = [...changed].reduce((all, [before, after]) => all.replaceAll(before, after), swap(before));
    if (isHashes(file)) changed.set(integrityOf(before), integrityOf(text));
    await writeFile(
      file,
      version === undefined || !file.endsWith('remote.json')
        ? text
        : JSON.stringify({ ...(JSON.parse(text) as object), version }),
    );
  }
  for (const file of files) {
    if (/\.(?:br|gz)$/.test(file)) await rm(file);
    else await rename(file, join(dirname(file), renamed(basename(file), mark)));
  }
}

/** Waits until new visitors get the deployed shell. */
export async function shellIsThere({ url }: TestEnvironment, mark: string): Promise<void> {
  await expect
    .poll(async () => (await (await fetch(`${url}/registry.json`)).text()).includes(`main.${mark.repeat(4)}`), {
      timeout: 30_000,
    })
    .toBe(true);
}
