import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import tailwind from '@tailwindcss/postcss';
import postcss, { type Container, type Document, type Rule } from 'postcss';

const repository = path.resolve(import.meta.dirname, '../../..');

/** The selectors of a rule and of the rules around it. */
function selectorsOf(rule: Rule): string[] {
  const selectors = [rule.selector];
  for (let around: Container | Document | undefined = rule.parent; around; around = around.parent)
    if (around.type === 'rule') selectors.push((around as Rule).selector);
  return selectors;
}

test('a remote’s classes apply inside its own element only', async () => {
  const sheets = globSync('mf-*/src/styles.css', { cwd: repository });
  assert.ok(sheets.length >= 5);
  for (const sheet of sheets) {
    const [name = ''] = sheet.split(path.sep);
    const from = path.join(repository, sheet);
    const plugin = tailwind({ base: path.join(repository, name) });
    const { root } = await postcss([plugin]).process(readFileSync(from, 'utf8'), { from });
    const outside = new Set<string>();
    let inside = 0;
    root.walkRules((rule) => {
      const selectors = selectorsOf(rule);
      if (selectors.some((selector) => selector.includes(`[data-mf='${name}']`))) inside += 1;
      else if (selectors.some((selector) => selector.includes('.'))) outside.add(rule.selector);
    });
    assert.deepEqual([...outside], [], name);
    assert.ok(inside > 20, `${name} has only ${inside} rules`);
  }
});
