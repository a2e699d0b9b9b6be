import { badgesIn, combinations } from '@clinic/app-kit/test-combinations';
import { screen, waitFor, within, type BoundFunctions, type queries } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { offer, place, problem, setUpWaitlist, show, shownMessages } from '../testing/waitlist.tsx';
import { WaitlistPage } from './waitlist-page.tsx';

setUpWaitlist();

const section = async (name: string): Promise<BoundFunctions<typeof queries>> =>
  within(await screen.findByRole('region', { name }));
const rows = async (inside: BoundFunctions<typeof queries>) =>
  (await inside.findAllByRole('listitem')).map(({ textContent }: HTMLElement) => textContent ?? '');
const nothing = () => Response.json([]);
/** Answers with the records that are still open, or with those that aren't. */
const answering =
  <T extends { readonly status: string }>(records: readonly T[]) =>
  (query: URLSearchParams) =>
    Response.json(
      records.filter(
        ({ status }) => ['waiting', 'offered', 'open'].includes(status) === (query.get('open') === 'true'),
      ),
    );

test('loads, then says what to do when there is nothing', async () => {
  const asked = Promise.withResolvers<Response>();
  await show(<WaitlistPage />, {
    'GET /waitlist': () => asked.promise.then((answer) => answer.clone()),
    'GET /waitlist/offers': nothing,
  });
  const waiting = await section('You’re waiting for');
  expect(waiting.getByRole('status').textContent).toBe('Loading...');
  asked.resolve(Response.json([]));
  expect(await waiting.findByText('You aren’t on a waitlist.')).toBeTruthy();
  expect(waiting.getByRole('link', { name: 'Choose a doctor' }).getAttribute('href')).toBe('/ourDoctors');
  expect(screen.queryByRole('region', { name: 'Times you were offered' })).toBeNull();
});

test('says that places can’t be loaded, and tries again', async () => {
  let broken = true;
  await show(<WaitlistPage />, {
    'GET /waitlist': (query) =>
      broken ? problem('validation_failed', 400, { detail: 'The list is broken.' })() : answering([place()])(query),
    'GET /waitlist/offers': nothing,
  });
  const waiting = await section('You’re waiting for');
  expect((await waiting.findByRole('alert')).textContent).toMatch(/^Error loading the waitlistThe list is broken\./);
  broken = false;
  await userEvent.click(waiting.getByRole('button', { name: 'Retry' }));
  expect(await waiting.findByText('Dr. Grey')).toBeTruthy();
});

test('shows places with days and times of day, earlier ones, and what became of offers', async () => {
  await show(<WaitlistPage />, {
    'GET /waitlist': answering([
      place(),
      place({
        _id: 'b'.repeat(24),
        from: '2100-01-05',
        until: '2100-01-05',
        parts: ['morning'],
        status: 'offered',
        appointment: { _id: 'c'.repeat(24), date: '2100-01-20', time: '16:00' },
      }),
      place({ _id: 'd'.repeat(24), status: 'booked' }),
    ]),
    'GET /waitlist/offers': answering([
      offer(),
      ...(['accepted', 'declined', 'missed', 'withdrawn'] as const).map((status, at) =>
        offer({ _id: `${at}`.repeat(24), status }),
      ),
    ]),
  });
  const [first, second] = await rows(await section('You’re waiting for'));
  expect(first).toBe('Dr. Grey Mon, Jan 4, 2100 to Fri, Jan 8, 2100 Any time of dayWaitingLeave: Dr. Grey');
  expect(second).toBe(
    'Dr. Grey: an earlier time Tue, Jan 5, 2100, earlier than Wed, Jan 20, 2100 at 4:00 PM Mornings (before 12:00 PM)A time is offeredLeave: Dr. Grey: an earlier time',
  );
  expect(await rows(await section('Earlier'))).toHaveLength(1);
  expect((await rows(await section('Times you were offered'))).map((row) => row.split('AM')[1])).toEqual([
    'Accepted',
    'Declined',
    'Missed',
    'No longer available',
  ]);
});

test('reads each list a page at a time', async () => {
  const places = Array.from({ length: 25 }, (_, at) =>
    place({ _id: String(at).padStart(24, '0'), patientname: `Patient ${at}` }),
  );
  const paged = (query: URLSearchParams) => {
    const first = query.get('cursor') === 'second' ? 20 : 0;
    return Response.json(places.slice(first, first + 20), {
      headers: { 'x-total-count': '25', ...(first === 0 && { link: '</waitlist?cursor=second>; rel="next"' }) },
    });
  };
  await show(<WaitlistPage />, { 'GET /waitlist': paged }, { role: 'admin' });
  const [waiting, earlier] = [await section('Waiting'), await section('Earlier')];
  const onSecondPage = (list: typeof waiting) => list.findByText('21–25 of 25');
  expect(await rows(waiting)).toHaveLength(20);
  await userEvent.click(waiting.getByRole('button', { name: 'Next' }));
  await onSecondPage(waiting);
  expect(await rows(waiting)).toHaveLength(5);
  expect(await rows(earlier)).toHaveLength(20);
  await userEvent.click(earlier.getByRole('button', { name: 'Next' }));
  await onSecondPage(earlier);
  await userEvent.click(waiting.getByRole('button', { name: 'Previous' }));
  await waiting.findByText('1–20 of 25');
  await onSecondPage(earlier);
});

test('asks before a place is given up', async () => {
  let left = false;
  const received = await show(<WaitlistPage />, {
    'GET /waitlist': (query) => answering([place({ status: left ? 'left' : 'waiting' })])(query),
    'GET /waitlist/offers': nothing,
    [`DELETE /waitlist/${'a'.repeat(24)}`]: () => {
      left = true;
      return new Response(null, { status: 204 });
    },
  });
  await (await section('You’re waiting for')).findByText('Dr. Grey');
  const leave = () => userEvent.click(screen.getByRole('button', { name: /^Leave ?: Dr\. Grey$/ }));
  const changes = () => received.filter(({ call }) => call.startsWith('DELETE')).length;
  await leave();
  await userEvent.click(screen.getByRole('button', { name: 'Keep the place' }));
  expect(changes()).toBe(0);
  await leave();
  await userEvent.click(screen.getByRole('button', { name: 'Leave the waitlist' }));
  await waitFor(() => expect(shownMessages()).toEqual(['Taken off the waitlist']));
  expect(changes()).toBe(1);
});

test('a doctor sees who waits for them, with names', async () => {
  await show(
    <WaitlistPage />,
    {
      'GET /waitlist': nothing,
      'GET /waitlist/offers': nothing,
      'GET /doc-pharma/ann%40mail.example': () => Response.json([{ _id: 'e'.repeat(24), name: 'Dr. Lee' }]),
      [`GET /doctors/${'e'.repeat(24)}/waitlist`]: () => Response.json([place({ patientname: 'Ben Roy' })]),
    },
    { role: 'doctor' },
  );
  expect((await rows(await section('Patients on your waitlist')))[0]).toMatch(
    /^Ben Roy: Dr\. Grey .*WaitingRemove: Ben Roy: Dr\. Grey$/,
  );
});

test('an admin finds who waits and who has waited, on first pages, and gets back to everybody', async () => {
  const asked: string[] = [];
  await show(
    <WaitlistPage />,
    {
      'GET /waitlist': (query) => {
        asked.push(`${query.get('open') ?? ''} ${query.get('q') ?? ''} ${query.get('cursor') ?? ''}`);
        if (query.get('q') === 'zoe') return Response.json([]);
        const named = query.get('q') === 'nunez' ? 'Ana Núñez' : 'Ben Roy';
        return Response.json([
          place({ patientname: named, status: query.get('open') === 'true' ? 'waiting' : 'left' }),
        ]);
      },
    },
    { role: 'admin', at: '/?cursor=second&earlier=third' },
  );
  const named = (section: string, name: string) =>
    waitFor(() => within(screen.getByRole('region', { name: section })).getByText(`${name}: Dr. Grey`));
  for (const list of ['Waiting', 'Earlier']) await named(list, 'Ben Roy');
  expect(new Set(asked.splice(0))).toEqual(new Set(['true  second', 'false  third']));
  const search = screen.getByRole('searchbox', { name: 'Search the waitlist' });
  await userEvent.type(search, 'nunez');
  for (const list of ['Waiting', 'Earlier']) await named(list, 'Ana Núñez');
  expect(asked.slice(-2)).toEqual(['true nunez ', 'false nunez ']);
  await userEvent.clear(search);
  await userEvent.type(search, 'zoe');
  await screen.findByText('Nobody who’s waiting matches');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Earlier' })).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Show everybody' }));
  await named('Earlier', 'Ben Roy');
});

test('a patient’s own places need no search', async () => {
  await show(<WaitlistPage />, { 'GET /waitlist': answering([place()]), 'GET /waitlist/offers': nothing });
  await (await section('You’re waiting for')).findByText('Dr. Grey');
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('says on an admin’s empty list how patients get on it', async () => {
  await show(<WaitlistPage />, { 'GET /waitlist': nothing }, { role: 'admin' });
  const waiting = await section('Waiting');
  expect(await waiting.findByText('Nobody’s waiting.')).toBeTruthy();
  expect(
    waiting.getByText('Patients join from a doctor’s booking page, or from an appointment. You can add them, too.'),
  ).toBeTruthy();
});

test('a place’s badge agrees with what is said of it and can be done about it', async () => {
  const statuses = ['waiting', 'offered', 'booked', 'left', 'ended'] as const;
  const places = combinations<{ status: (typeof statuses)[number]; afterOffers: true | undefined }>({
    status: statuses,
    afterOffers: [undefined, true],
  });
  await show(<WaitlistPage />, {
    'GET /waitlist': answering(places.map((one, at) => place({ ...one, _id: String(at).repeat(24) }))),
    'GET /waitlist/offers': nothing,
  });
  const words = { waiting: 'Waiting', offered: 'A time is offered', booked: 'Booked', left: 'Left', ended: 'Ended' };
  await screen.findAllByText('Ended');
  const shown = screen.getAllByRole('listitem').map((item) => ({
    badges: badgesIn(item),
    why: item.textContent.includes('Ended because'),
    leave: within(item).queryByRole('button', { name: /^Leave/ }) !== null,
  }));
  expect(shown).toEqual(
    places.map(({ status, afterOffers }) => ({
      badges: [words[status]],
      why: status === 'ended' && afterOffers === true,
      leave: status === 'waiting' || status === 'offered',
    })),
  );
});
