import { queryClient } from '@clinic/app-kit/host';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { offer, problem, setUpWaitlist, show, shownMessages, type Answers } from '../testing/waitlist.tsx';
import { OpenOffers } from './open-offers.tsx';

setUpWaitlist();

const slot = 'Dr. Grey, Tue, Jan 5, 2100 at 9:30 AM';
// The library puts a space between the parts of a name.
const named = (action: string) => new RegExp(`^${action} ?: ${slot}$`);
const card = () => screen.findByRole('region', { name: 'A time is free for you' });
const noCard = () => expect(screen.queryByRole('region', { name: 'A time is free for you' })).toBeNull();
const one = `POST /waitlist/offers/${'f'.repeat(24)}`;

/** A clinic with one open offer until somebody decides. */
function clinic(more: Parameters<typeof offer>[0] = {}, answers: Answers = {}): Answers {
  let open = true;
  const decide = (status: 'accepted' | 'declined') => () => {
    open = false;
    return Response.json(offer({ ...more, status, left: 0 }));
  };
  return {
    'GET /waitlist/offers': () => Response.json(open ? [offer(more)] : []),
    [`${one}/accept`]: decide('accepted'),
    [`${one}/decline`]: decide('declined'),
    ...answers,
  };
}

test('says what is held, where, until when, and for how long', async () => {
  const received = await show(<OpenOffers />, clinic({ place: 'Level 3' }));
  const shown = within(await card());
  // Announced once: the seconds aren't part of it.
  expect(shown.getByRole('status').textContent).toBe(`${slot}Level 3. Free for you until 2:30 PM.`);
  expect(shown.getByRole('timer').textContent).toMatch(/^(30:00|29:5\d) minutes left$/);
  expect(received).toEqual([
    { call: 'GET /waitlist/offers', query: 'email=ann%40mail.example&open=true&limit=5', body: undefined },
  ]);
});

test('an offer that lasts all night says on which day it ends, and counts only the last hour', async () => {
  await show(<OpenOffers />, clinic({ until: '2100-01-01T02:30:00Z', left: 37_800_000 }));
  const shown = within(await card());
  expect(shown.getByRole('status').textContent).toBe(`${slot}Free for you until Fri, Jan 1, 2100 at 8:30 AM.`);
  expect(shown.queryByRole('timer')).toBeNull();
});

test('accepting books the time once, and the card goes', async () => {
  const received = await show(<OpenOffers />, clinic());
  await card();
  await userEvent.dblClick(screen.getByRole('button', { name: named('Accept') }));
  await waitFor(noCard);
  expect(shownMessages()).toEqual([`Your appointment is booked: ${slot}`]);
  expect(received.filter(({ call }) => call.startsWith('POST')).map(({ call }) => call)).toEqual([`${one}/accept`]);
});

test('an offer of an earlier time says which appointment moves', async () => {
  await show(<OpenOffers />, clinic({ moves: { date: '2100-01-20', time: '16:00' } }));
  await card();
  expect(screen.getByText(/Accepting moves your appointment from Wed, Jan 20, 2100 at 4:00 PM\./)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: named('Accept') }));
  await waitFor(() => expect(shownMessages()).toEqual([`Your appointment is moved: ${slot}`]));
});

test('declining passes it on, and says that the place stays', async () => {
  const received = await show(<OpenOffers />, clinic());
  await card();
  await userEvent.click(screen.getByRole('button', { name: named('Decline') }));
  await waitFor(noCard);
  expect(shownMessages()).toEqual(['The time goes to the next person. You stay on the waitlist.']);
  expect(received.filter(({ call }) => call.startsWith('POST')).map(({ call }) => call)).toEqual([`${one}/decline`]);
});

test('a last offer says that the place ends with it', async () => {
  await show(<OpenOffers />, clinic({ last: true }));
  await card();
  expect(screen.getByText(/It’s our last offer: without it your place on the waitlist ends\./)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: named('Decline') }));
  await waitFor(() =>
    expect(shownMessages()).toEqual(['The time goes to the next person. Your place on the waitlist has ended.']),
  );
});

test('removes an offer that ends while it is on screen, and reloads the list', async () => {
  let answers = 0;
  const received = await show(<OpenOffers />, {
    'GET /waitlist/offers': () => Response.json((answers += 1) === 1 ? [offer({ left: 1_500 })] : []),
  });
  expect(within(await card()).getByRole('timer').textContent).toMatch(/^0:0[12] minutes left$/);
  await waitFor(noCard);
  expect(received.map(({ call }) => call)).toEqual(['GET /waitlist/offers', 'GET /waitlist/offers']);
});

test('accepting too late says so, and shows what is left', async () => {
  let open = true;
  await show(<OpenOffers />, {
    'GET /waitlist/offers': () => Response.json(open ? [offer()] : []),
    [`${one}/accept`]: () => {
      open = false;
      return problem('offer_over', 409, { detail: 'This time is no longer held for you.' })();
    },
  });
  await card();
  await userEvent.click(screen.getByRole('button', { name: named('Accept') }));
  await waitFor(noCard);
  expect(shownMessages()).toEqual(['This time is no longer held for you.']);
});

test.each([
  ['while there is none', () => Response.json([])],
  ['for an offer that ended before it arrived', () => Response.json([offer({ left: 0 })])],
  ['while they can’t be loaded', problem('unavailable', 503)],
])('shows nothing on any page %s', async (_, answer) => {
  const received = await show(<OpenOffers />, { 'GET /waitlist/offers': answer });
  await waitFor(() => expect(received.length).toBeGreaterThan(0));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  noCard();
  expect(shownMessages()).toEqual([]);
});
