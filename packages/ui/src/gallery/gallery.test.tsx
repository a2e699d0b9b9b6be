import { globSync } from 'node:fs';
import { join } from 'node:path';
import { render, screen } from '@testing-library/react';
import * as charts from '../charts/index.ts';
import { loadLaterIcons } from '../icon.tsx';
import Gallery from './gallery.tsx';

const kit = join(import.meta.dirname, '..');
const isComponent = ([name, value]: [string, unknown]): boolean =>
  /^[A-Z][a-z]/.test(name) && typeof value === 'function';

beforeAll(loadLaterIcons);

test('every component of the kit has an example', async () => {
  const files = globSync('*.tsx', { cwd: kit }).filter((file) => !file.endsWith('.test.tsx'));
  const modules = (await Promise.all(files.map((file) => import(join(kit, file))))) as object[];
  const components = [...modules, charts].flatMap((module) =>
    Object.entries(module)
      .filter(isComponent)
      .map(([name]) => name),
  );
  render(<Gallery />);
  const shown = screen.getAllByRole('heading', { level: 3 }).flatMap(({ id }) => (id === '' ? [] : [id]));
  // The page's own head is the example of the other.
  expect([...shown, 'PageHeader'].toSorted()).toEqual([...new Set(components)].toSorted());
});

test('the address chooses a part, a theme and a direction, and the page is given back as it was', () => {
  const page = document.documentElement;
  page.dataset['theme'] = 'light';
  history.replaceState(null, '', '/__ui?group=dialogs&theme=dark&dir=rtl');
  const { unmount } = render(<Gallery />);
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['dialogs']);
  expect([page.dataset['theme'], page.dir]).toEqual(['dark', 'rtl']);
  unmount();
  expect([page.dataset['theme'], page.dir]).toEqual(['light', '']);
  delete page.dataset['theme'];
  history.replaceState(null, '', '/');
});
