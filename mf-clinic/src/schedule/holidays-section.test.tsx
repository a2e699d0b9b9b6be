import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import { screen, waitFor } from '@testing-library/react';
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
  serveAs(nadia, ({ method, path }) => {
    if (path === '/doctors/holidays/outside') return Response.json(list.length > 0 ? outside : []);
    if (method === 'GET') return Response.json(list);
    list = [holiday];
    return Response.json({ holiday, outside: outside }, { status: 201 });
  });
  await renderRoutes([{ path: '/', Component: HolidaysSection }], '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Add holiday' }));
  expect(await screen.findByText('More appointments may be booked on holidays')).toBeTruthy();
});

test('whoever opens the page finds who is booked on a holiday, until it is settled', async () => {
  const holiday = { _id: 'e'.repeat(24), name: 'Eid', from: '2100-01-05', until: '2100-01-05' };
  let outside = [{ ...appointment({ patientname: 'Ann' }), why: ['time'] }];
  const settled: unknown[] = [];
  serveAs(nadia, ({ method, path, body }) => {
    if (path === '/doctors/holidays/outside') return Response.json(outside);
    if (path === '/doctors/holidays') return Response.json([holiday]);
    if (method === 'GET') return Response.json([]);
    settled.push(body);
    const [one] = outside;
    outside = [];
    return Response.json(one);
  });
  await renderRoutes([{ path: '/', Component: HolidaysSection }], '/');
  expect(await screen.findByText('1 appointment is booked on a holiday')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Decide about Ann/ }));
  await userEvent.selectOptions(await screen.findByLabelText('What to do'), 'Keep it as it is');
  await userEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  await waitFor(() => expect(screen.queryByText('1 appointment is booked on a holiday')).toBeNull());
  expect(settled).toMatchObject([{ decision: { act: 'keep' } }]);
});
