import { render, screen } from '@testing-library/react';
import Gallery from './gallery.tsx';

test('the address chooses a part and a direction, and the page is given back as it was', () => {
  const page = document.documentElement;
  history.replaceState(null, '', '/__ui?group=dialogs&dir=rtl');
  const { unmount } = render(<Gallery />);
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['dialogs']);
  expect(page.dir).toBe('rtl');
  unmount();
  expect(page.dir).toBe('');
  history.replaceState(null, '', '/');
});
