import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { nadia } from '../testing/records.ts';
import { HolidaysSection } from './holidays-section.tsx';

prepareBrowser();

test('asks for the first day of a holiday, and not for a last one that may stay empty', async () => {
  const errors = ['Name', 'First day', 'Last day'].map((what, at) => ({
    field: ['name', 'from', 'until'][at] ?? '',
    message: `${what} is required`,
  }));
  serveAs(nadia, ({ method }) =>
    method === 'POST' ? problemResponse('validation_failed', 400, { errors }) : Response.json([]),
  );
  await renderRoutes([{ path: '/', Component: HolidaysSection }], '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Add holiday' }));
  expect(await screen.findByText('First day is required')).toBeTruthy();
  expect(screen.queryByText('Last day is required')).toBeNull();
});
