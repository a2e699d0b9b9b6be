// The client finds calls that no module adds, for remotes of earlier releases: it would hide one that is forgotten today.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { callTables } from './base-config.ts';
import callTableLoader from './call-table-loader.ts';

const root = path.join(import.meta.dirname, '../../..');

/** The names of the calls in each table, as browsers load it. */
const tables = new Map<string, readonly string[]>();
for (const file of globSync('{svc-*/src/contract,packages/contracts/src/session}/*calls.ts', { cwd: root })) {
  assert.match(path.join(root, file), callTables);
  const code = await callTableLoader.call({ resourcePath: path.join(root, file) });
  for (const [, name = '', json = ''] of code.matchAll(/^export const (\w+) = (.*);$/gm))
    tables.set(name, Object.keys(JSON.parse(json) as object));
}
const every = new Set([...tables.values()].flat());

/** The calls that a front-end adds, and those it names. */
function callsIn(folder: string): { readonly added: ReadonlySet<string>; readonly named: ReadonlySet<string> } {
  const added = new Set(tables.get('sessionCalls'));
  const named = new Set<string>();
  for (const file of globSync(`${folder}/src/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ['**/*.test.*', '**/testing/**'],
  })) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/'(\w+)'/g)) if (every.has(name)) named.add(name);
    for (const [, what = ''] of text.matchAll(/\baddCalls\(([^)]*)\)/g))
      for (const [, table = '', only] of what.matchAll(/(\w+Calls)(?:\.(\w+))?/g))
        for (const id of only === undefined ? (tables.get(table) ?? []) : [only]) added.add(id);
  }
  return { added, named };
}

for (const folder of globSync(['shell', 'mf-*'], { cwd: root }))
  test(`${folder} adds every call that it names`, () => {
    const { added, named } = callsIn(folder);
    assert.ok(named.size > 0);
    assert.deepEqual([...named].filter((id) => !added.has(id)).toSorted(), []);
  });
