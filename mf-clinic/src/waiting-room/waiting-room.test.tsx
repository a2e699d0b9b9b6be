import { useSession } from '@clinic/app-kit';
import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { queryClient, session } from '@clinic/app-kit/host';
import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { ann, nadia } from '../testing/records.ts';
import { ScreenButton } from './screen-button.tsx';
import { ScreenDialog } from './screen-dialog.tsx';
import { ScreenPage } from './screen-page.tsx';

prepareBrowser({ wide: true });
beforeEach(() => queryClient.clear());
afterEach(() => jest.useRealTimers());

const path = '/waiting-screen/:secret';
const open = () => renderRoutes([{ path, Component: ScreenPage }], `/waiting-screen/${'s'.repeat(32)}`);

test('the screen shows numbers and rooms, and says since when it is old', async () => {
  jest.useFakeTimers({ advanceTimers: true, now: new Date('2026-11-30T03:00:00Z') });
  let down = false;
  serveAs(undefined, () =>
    down
      ? problemResponse('unavailable', 503)
      : Response.json({
          at: new Date().toISOString(),
          called: [{ number: 12, room: 'Level 3' }],
          waiting: [14, 15],
        }),
  );
  await open();
  const called = await screen.findByRole('list');
  expect(within(called).getByText('12')).toBeTruthy();
  expect(within(called).getByText('Level 3')).toBeTruthy();
  expect(screen.getByText('Waiting: 14, 15')).toBeTruthy();
  down = true;
  await act(() => jest.advanceTimersByTimeAsync(40_000));
  expect(screen.getByRole('alert').textContent).toContain('Not up to date since 9:00 AM');
  // The last numbers stay, and it comes back by itself.
  expect(screen.getByText('12')).toBeTruthy();
  down = false;
  await act(() => jest.advanceTimersByTimeAsync(10_000));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an address that has ended says so, and is seldom asked for', async () => {
  jest.useFakeTimers({ advanceTimers: true, now: new Date('2026-11-30T03:00:00Z') });
  let asked = 0;
  serveAs(undefined, () => {
    asked += 1;
    return problemResponse('not_found', 404);
  });
  await open();
  expect((await screen.findByRole('alert')).textContent).toContain('address has ended');
  // A dozen screens of one network stay below its wrong attempts of a minute.
  await act(() => jest.advanceTimersByTimeAsync(600_000));
  expect(asked).toBeLessThanOrEqual(7);
  expect(asked).toBeGreaterThan(2);
});

test('only admins, who may make it, are offered the screen’s address', async () => {
  for (const [who, offered] of [
    [nadia, 1],
    // With the right to reception, for example.
    [ann, 0],
  ] as const) {
    serveAs(who, () => Response.json({}));
    await session.load();
    const Role = () => <p>{useSession().role}</p>;
    await renderRoutes([{ path: '/x', element: [<ScreenButton key={0} />, <Role key={1} />] }], '/x');
    await screen.findByText(String(who.role));
    expect(screen.queryAllByRole('button', { name: 'Waiting-room screen' })).toHaveLength(offered);
    cleanup();
  }
});

test('an admin makes the screen’s address, which is shown once', async () => {
  let since: string | undefined;
  serveAs(nadia, ({ method }) => {
    if (method !== 'POST') return Response.json({ since });
    since = '2026-11-30T03:00:00Z';
    return Response.json({ since, secret: 's'.repeat(32) }, { status: 201 });
  });
  await session.load();
  await renderRoutes([{ path: '/x', element: <ScreenDialog onClose={() => undefined} /> }], '/x');
  await userEvent.click(await screen.findByRole('button', { name: 'Make an address' }));
  const field = await screen.findByLabelText<HTMLInputElement>('Address of the screen');
  expect(field.value).toBe(`${location.origin}/waiting-screen/${'s'.repeat(32)}`);
  expect(await screen.findByRole('button', { name: 'Replace the address' })).toBeTruthy();
});
