import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(__dirname, 'css/themes.css'), 'utf8');

/** What a theme sets that isn't a colour or a shadow, by name. */
function sizesOf(theme: string): Record<string, string> {
  const [, block = ''] = new RegExp(`name: '${theme}';([^}]*)}`).exec(css) ?? [];
  const declarations = [...block.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]);
  expect(declarations.length).toBeGreaterThan(30);
  return Object.fromEntries(declarations.filter(([, value = '']) => !/#|rgb\(/.test(value)));
}

test('the dark theme changes colours and shadows only: a page has the same layout in both', () => {
  const sizes = sizesOf('light');
  expect(Object.keys(sizes)).toContain('--size-field');
  expect(sizesOf('dark')).toEqual(sizes);
});
