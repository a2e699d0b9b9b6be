import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseTheme, chosenTheme } from './theme.ts';

const { documentElement } = document;

beforeEach(() => {
  localStorage.clear();
  delete documentElement.dataset['theme'];
});

test('a choice applies at once, and on the next page before anything is painted', () => {
  expect(chosenTheme()).toBe('system');
  chooseTheme('dark');
  expect([chosenTheme(), documentElement.dataset['theme']]).toEqual(['dark', 'dark']);
  delete documentElement.dataset['theme'];
  runFirstScript();
  expect(chosenTheme()).toBe('dark');
});

test('the device decides again once that is chosen', () => {
  chooseTheme('light');
  chooseTheme('system');
  expect([chosenTheme(), documentElement.hasAttribute('data-theme')]).toEqual(['system', false]);
  runFirstScript();
  expect(documentElement.hasAttribute('data-theme')).toBe(false);
});

function runFirstScript(): void {
  // oxlint-disable-next-line no-new-func -- the page's own script, which isn't a module
  new Function(readFileSync(join(import.meta.dirname, '../../theme.js'), 'utf8'))();
}
