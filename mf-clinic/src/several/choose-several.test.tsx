import { session } from '@clinic/app-kit/host';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AllAppointmentsPage } from '../appointments/all-appointments-page.tsx';
import { CurrentAppointmentsPage } from '../appointments/current-appointments-page.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey, nadia } from '../testing/records.ts';

prepareBrowser({ wide: true });

const one = (letter: string, patientname: string, more: Partial<Appointment> = {}) =>
  appointment({ _id: letter.repeat(24), patientname, you: [], ...more });
let rows: Appointment[];
let sent: unknown[];
beforeEach(() => {
  sent = [];
  rows = [
    one('1', 'Ann Lee'),
    one('2', 'Ben Kay', { status: 'Confirmed' }),
    one('3', 'Cy Roe', { status: 'Cancelled' }),
    one('4', 'Dee Poe', { date: '2020-01-01' }),
  ];
});

async function open(who: typeof nadia, Component: () => React.JSX.Element): Promise<void> {
  serveAs(who, ({ method, path, body }) => {
    if (method === 'GET') return Response.json(path.startsWith('/appoinments') ? rows : []);
    sent.push([path, (body as { readonly newStatus: string }).newStatus]);
    const id = path.split('/').at(-1);
    rows = rows.map((row) => (row._id === id ? { ...row, status: 'Cancelled' } : row));
    return Response.json(rows.find(({ _id }) => _id === id));
  });
  await session.load();
  await renderRoutes([{ path: '/page', Component }], '/page');
  await screen.findAllByText('Ann Lee');
}

test('rows are chosen by keyboard and cancelled at once; what is final or over has no box', async () => {
  await open(nadia, AllAppointmentsPage);
  expect(screen.queryByRole('checkbox')).toBeNull();
  screen.getByRole('button', { name: 'Several at once …' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(screen.getAllByRole('checkbox', { name: /^Choose: / })).toHaveLength(2);
  screen.getByRole('checkbox', { name: /^Choose: Ann Lee/ }).focus();
  await userEvent.keyboard(' ');
  expect(screen.getByText('1 appointment chosen')).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: 'All on this page' }));
  await userEvent.click(screen.getByRole('button', { name: 'Confirm or cancel …' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Several at once' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel 2 appointments' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([
    [`/update-appoinment/${'1'.repeat(24)}`, 'Cancelled'],
    [`/update-appoinment/${'2'.repeat(24)}`, 'Cancelled'],
  ]);
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a doctor’s list has no such choice', async () => {
  await open(grey, CurrentAppointmentsPage);
  expect(screen.queryByRole('button', { name: 'Several at once …' })).toBeNull();
});
