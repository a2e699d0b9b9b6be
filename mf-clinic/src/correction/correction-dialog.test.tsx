import { notifications, queryClient, session } from '@clinic/app-kit/host';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CurrentAppointmentsPage } from '../appointments/current-appointments-page.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey } from '../testing/records.ts';

prepareBrowser({ wide: true });

async function open() {
  await session.load();
  const path = '/dash/appointmentRecord';
  await renderRoutes([{ path, Component: CurrentAppointmentsPage }], path);
  await userEvent.click(await screen.findByRole('button', { name: /^Correct details/, hidden: true }));
  return within(await screen.findByRole('dialog'));
}

test.each([
  [34, 'function'],
  [0, 'undefined'],
])('a correction can be undone, unless it was unknown before: age %d', async (age, undo) => {
  const listed = appointment({ you: ['doctor'], age });
  serveAs(grey, ({ method, body }) =>
    method === 'PATCH' ? Response.json({ ...listed, ...(body as object) }) : Response.json([listed]),
  );
  act(() => notifications.set([]));
  const dialog = await open();
  const field = dialog.getByLabelText(/^Age/);
  await userEvent.clear(field);
  await userEvent.type(field, '45');
  await userEvent.click(dialog.getByRole('button', { name: 'Correct details' }));
  await waitFor(() => expect(notifications.get().length).toBe(1));
  expect(typeof notifications.get()[0]?.action?.run).toBe(undo);
});

test('a correction shows what others change meanwhile, except over what is typed, and sends only that', async () => {
  let listed = [appointment({ you: ['doctor'] })];
  const sent: unknown[] = [];
  serveAs(grey, ({ method, path, body }) => {
    if (path === '/appoinments/unconfirmed') return Response.json(listed);
    if (method !== 'PATCH') throw new Error(`The test has no answer for ${path}`);
    sent.push(body);
    return Response.json({ ...listed[0], ...(body as object) });
  });
  const dialog = await open();
  const field = (label: RegExp) => dialog.getByLabelText<HTMLInputElement>(label);
  await userEvent.type(field(/^Address/), ', Level 3');

  listed = [appointment({ you: ['doctor'], address: '7 Hill', number: '+880 1711 000001', age: 35 })];
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(field(/^Phone/).value).toBe('+880 1711 000001'));
  expect([field(/^Age/).value, field(/^Address/).value]).toEqual(['35', '5 Lake Road, Level 3']);

  // Somebody has confirmed it: it is no longer among these.
  listed = [];
  await act(() => queryClient.invalidateQueries());
  await screen.findByText('No appointments to confirm');
  expect(field(/^Phone/).value).toBe('+880 1711 000001');
  await userEvent.click(dialog.getByRole('button', { name: 'Correct details' }));
  await waitFor(() => expect(sent).toEqual([{ address: '5 Lake Road, Level 3' }]));
});
