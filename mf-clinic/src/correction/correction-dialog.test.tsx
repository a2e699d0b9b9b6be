import { queryClient, session } from '@clinic/app-kit/host';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CurrentAppointmentsPage } from '../appointments/current-appointments-page.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey } from '../testing/records.ts';

prepareBrowser({ wide: true });

test('a correction shows what others change meanwhile, except over what is typed, and sends only that', async () => {
  let listed = [appointment({ you: ['doctor'] })];
  const sent: unknown[] = [];
  serveAs(grey, ({ method, path, body }) => {
    if (path === '/appoinments/unconfirmed') return Response.json(listed);
    if (method !== 'PATCH') throw new Error(`The test has no answer for ${path}`);
    sent.push(body);
    return Response.json({ ...listed[0], ...(body as object) });
  });
  await session.load();
  const path = '/dash/appointmentRecord';
  await renderRoutes([{ path, Component: CurrentAppointmentsPage }], path);
  await userEvent.click(await screen.findByRole('button', { name: /^Correct details/, hidden: true }));
  const dialog = within(await screen.findByRole('dialog'));
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
