import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** Text files whose digests are in others: pages as HTML, and the hashes. */
const isListed = (file: string): boolean => /^(?:hashes|page)\..*\.(?:json|html)$/.test(basename(file));

/** Changes a script of a build, as if it had been built so. */
export async function changeScript(folder: string, name: string, change: (text: string) => string): Promise<void> {
  const script = join(folder, name);
  const before = await readFile(script, 'utf8');
  const after = change(before);
  await writeFile(script, after);
  const changed = [[integrityOf(before), integrityOf(after)] as const];
  const lists = (await readdir(folder)).filter((one) => one.endsWith('.json'));
  for (const list of lists.toSorted((a, b) => Number(isListed(b)) - Number(isListed(a)))) {
    const text = await readFile(join(folder, list), 'utf8');
    const renewed = changed.reduce((all, [old, now]) => all.replaceAll(old, now), text);
    if (isListed(list)) changed.push([integrityOf(text), integrityOf(renewed)]);
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
  const swap = (text: string): string =>
    [...digests].reduce((all, old) => all.replaceAll(old, mark.repeat(4) + old.slice(4)), text);
  const deployed = new Map<string, Buffer | string>();
  const changed = new Map<string, string>();
  for (const file of files.filter((name) => !/\.(?:br|gz|html|json)$/.test(name))) {
    const before = await readFile(file);
    const after = /\.(?:c?js|css)$/.test(file) ? swap(before.toString()) : before;
    changed.set(integrityOf(before), integrityOf(after));
    deployed.set(file, after);
  }
  const lists = files.filter((name) => /\.(?:html|json)$/.test(name));
  // Their digests are in the others.
  for (const file of lists.toSorted((a, b) => Number(isListed(b)) - Number(isListed(a)))) {
    const before = await readFile(file, 'utf8');
    const text = [...changed].reduce((all, [was, is]) => all.replaceAll(was, is), swap(before));
    if (isListed(file)) changed.set(integrityOf(before), integrityOf(text));
    const isDescription = version !== undefined && file.endsWith('remote.json');
    deployed.set(file, isDescription ? JSON.stringify({ ...(JSON.parse(text) as object), version }) : text);
  }
  // All at once: a server that finds the folder unchanged for a moment takes what is there for the build.
  await Promise.all([
    ...[...deployed].map(([file, content]) => writeFile(join(dirname(file), renamed(basename(file), mark)), content)),
    ...files
      .filter((file) => !deployed.has(file) || basename(file) !== renamed(basename(file), mark))
      .map((file) => rm(file)),
  ]);
}

/** Waits until new visitors get the deployed shell. */
export async function shellIsThere({ url }: TestEnvironment, mark: string): Promise<void> {
  await expect
    .poll(async () => (await (await fetch(`${url}/registry.json`)).text()).includes(`main.${mark.repeat(4)}`), {
      timeout: 30_000,
    })
    .toBe(true);
}
