import { notifications, queryClient, session } from '@clinic/app-kit/host';
import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
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
  [
    34,
    [
      { age: 45, seen: { age: 34 } },
      { age: 34, seen: { age: 45 } },
    ],
  ],
  [0, [{ age: 45, seen: { age: 0 } }]],
])(
  'a correction of the age %d and its Undo say what they replace; what was unknown can’t be so again',
  async (age, all) => {
    const listed = appointment({ you: ['doctor'], age });
    const sent: unknown[] = [];
    serveAs(grey, ({ method, body }) => {
      if (method !== 'PATCH') return Response.json([listed]);
      sent.push(body);
      return Response.json({ ...listed, ...(body as object) });
    });
    act(() => notifications.set([]));
    const dialog = await open();
    const field = dialog.getByLabelText(/^Age/);
    await userEvent.clear(field);
    await userEvent.type(field, '45');
    await userEvent.click(dialog.getByRole('button', { name: 'Correct details' }));
    await waitFor(() => expect(notifications.get().length).toBe(1));
    await act(async () => void (await notifications.get()[0]?.action?.run()));
    expect(sent).toEqual(all);
  },
);

test('what others enter in a field that is typed over is shown, before it can be replaced', async () => {
  let number = '+880 1711 000001';
  const sent: unknown[] = [];
  serveAs(grey, ({ method, body }) => {
    const listed = appointment({ you: ['doctor'], number });
    if (method !== 'PATCH') return Response.json([listed]);
    sent.push(body);
    if (number !== '+880 1711 000001') return Response.json({ ...listed, ...(body as object) });
    number = '+880 1711 000002';
    return problemResponse('transition_refused', 409, { detail: 'Someone else has just changed this appointment.' });
  });
  const dialog = await open();
  const field = dialog.getByLabelText(/^Phone/);
  await userEvent.clear(field);
  await userEvent.type(field, '+880 1711 000003');
  const correct = () => userEvent.click(dialog.getByRole('button', { name: 'Correct details' }));
  await correct();
  await dialog.findByText('Someone else has just changed this appointment.');
  await dialog.findByText('Someone else has entered “+880 1711 000002” meanwhile. Yours will replace it.');
  await correct();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual(
    ['+880 1711 000001', '+880 1711 000002'].map((seen) => ({ number: '+880 1711 000003', seen: { number: seen } })),
  );
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
  expect(dialog.getAllByText(/^Someone else has entered/).map(({ textContent }) => textContent)).toEqual([
    'Someone else has entered “7 Hill” meanwhile. Yours will replace it.',
  ]);

  // Somebody has confirmed it: it is no longer among these.
  listed = [];
  await act(() => queryClient.invalidateQueries());
  await screen.findByText('No appointments to confirm');
  expect(field(/^Phone/).value).toBe('+880 1711 000001');
  await userEvent.click(dialog.getByRole('button', { name: 'Correct details' }));
  await waitFor(() => expect(sent).toEqual([{ address: '5 Lake Road, Level 3', seen: { address: '7 Hill' } }]));
});
