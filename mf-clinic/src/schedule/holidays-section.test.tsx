import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, nadia } from '../testing/records.ts';
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

test('says if more appointments may be booked on a holiday than are named', async () => {
  const holiday = { _id: 'e'.repeat(24), name: 'Eid', from: '2100-01-05', until: '2100-01-05' };
  const outside = Array.from({ length: scheduleLimits.outside }, (_, index) => ({
    ...appointment({ time: '10:00' }),
    _id: String(index).padStart(24, '0'),
    why: ['time'],
  }));
  let list: readonly object[] = [];
  serveAs(nadia, ({ method }) => {
    if (method === 'GET') return Response.json(list);
    list = [holiday];
    return Response.json({ holiday, outside: outside }, { status: 201 });
  });
  await renderRoutes([{ path: '/', Component: HolidaysSection }], '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Add holiday' }));
  expect(await screen.findByText('More appointments may be booked then')).toBeTruthy();
});
