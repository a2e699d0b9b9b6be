import { chooseTheme, chosenTheme } from './theme.ts';

const { documentElement } = document;

beforeEach(() => {
  localStorage.clear();
  delete documentElement.dataset['theme'];
});

test('a choice applies at once, and on the next page before anything is painted', async () => {
  expect(chosenTheme()).toBe('system');
  chooseTheme('dark');
  expect([chosenTheme(), documentElement.dataset['theme']]).toEqual(['dark', 'dark']);
  delete documentElement.dataset['theme'];
  await runFirstScript();
  expect(chosenTheme()).toBe('dark');
});

test('the device decides again once that is chosen', async () => {
  chooseTheme('light');
  chooseTheme('system');
  expect([chosenTheme(), documentElement.hasAttribute('data-theme')]).toEqual(['system', false]);
  await runFirstScript();
  expect(documentElement.hasAttribute('data-theme')).toBe(false);
});

async function runFirstScript(): Promise<void> {
  jest.resetModules();
  const script = '../../theme.js';
  await import(script);
}
