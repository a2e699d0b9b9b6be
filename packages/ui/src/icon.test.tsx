import { configure, render, waitFor } from '@testing-library/react';
import { Icon } from './icon.tsx';
import { laterIconShapes } from './later-icon-shapes.ts';

// A busy machine needs longer.
beforeAll(() => configure({ asyncUtilTimeout: 60_000 }));

test('an icon that no first page shows keeps its place until its drawing has loaded', async () => {
  const { container } = render(<Icon name="truck" size={18} />);
  expect(container.querySelector('svg')?.getAttribute('width')).toBe('18');
  await waitFor(() => expect(container.querySelector('path')?.getAttribute('d')).toBe(laterIconShapes.truck));
});

test('an unknown icon draws nothing', async () => {
  const { container } = render(<Icon name="not-an-icon" />);
  await waitFor(() => expect(container.childElementCount).toBe(0));
});
