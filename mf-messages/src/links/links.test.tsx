import { problemAnswer, type TestAnswer } from '@clinic/app-kit/test-server';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { LinkAction } from '../calls.ts';
import { openPage } from '../testing.tsx';

const visit = { doctor: 'Dr. Grey', date: '2026-11-24', time: '09:30' };
const cancel: LinkAction = { action: 'cancel', visit, until: '2026-11-24T03:00:00.000Z' };
const move: LinkAction = { ...cancel, action: 'move', freeTimes: [{ date: '2026-11-25', times: ['10:00', '11:00'] }] };
const action = '/messages/actions/t0ken.x';
const unsubscription = '/messages/unsubscribe/t0ken.x';
const title = (name: string) => screen.findByRole('heading', { level: 1, name });

/** Responses in order; the last one repeats. */
function inTurn(...answers: readonly TestAnswer[]): () => TestAnswer {
  let next = 0;
  return () => answers[Math.min(next++, answers.length - 1)] as TestAnswer;
}

test('a cancel link says what it would do, and does it only when asked', async () => {
  const { clinic } = await openPage('/message-actions/t0ken.x', {
    [`GET ${action}`]: () => ({ json: cancel }),
    [`POST ${action}`]: () => ({ json: { action: 'cancel', visit } }),
  });
  await title('Cancel this appointment?');
  expect(screen.getByText('Dr. Grey').parentElement?.textContent).toBe('Dr. GreyTue, Nov 24, 2026 at 9:30 AM');
  expect(clinic.made()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel my appointment' }));
  await title('Your appointment is cancelled');
  expect(clinic.made()).toEqual([`POST ${action}`]);
  expect(clinic.sent(`POST ${action}`)).toEqual({});
});

test('links of a message in Bangla lead to pages in Bangla, also if they don’t work', async () => {
  const { clinic } = await openPage('/message-actions/t0ken.x?lang=bn', {
    [`GET ${action}`]: () => ({ json: move }),
    [`POST ${action}`]: inTurn(problemAnswer('slot_taken'), problemAnswer('too_late')),
  });
  const heading = await title('অ্যাপয়েন্টমেন্টের সময় বদলাতে চান?');
  expect(heading.closest('[lang]')?.getAttribute('lang')).toBe('bn');
  expect(screen.getByText('মঙ্গলবার, ২৪ নভেম্বর, ২০২৬, সকাল ৯:৩০টা')).toBeTruthy();
  const press = async (): Promise<void> => {
    await userEvent.selectOptions(screen.getByLabelText(/^নতুন সময়/), '2026-11-25 10:00');
    await userEvent.click(screen.getByRole('button', { name: 'সময় বদলান' }));
  };
  await press();
  await screen.findByText(/এইমাত্র অন্য কেউ নিয়েছেন/);
  await press();
  await title('লিংকটির মেয়াদ শেষ');
  expect(clinic.made()).toEqual([`POST ${action}`, `POST ${action}`]);
  expect(document.querySelector('[lang=bn]')?.textContent).not.toMatch(/[A-Za-z]{3,}/);
});

test('a link of a reminder says that the patient is here, and leads to their number', async () => {
  const { clinic } = await openPage('/message-actions/t0ken.x', {
    [`GET ${action}`]: () => ({ json: { ...cancel, action: 'arrive' } }),
    [`POST ${action}`]: () => ({ json: { action: 'arrive', visit } }),
  });
  await title('Are you at the clinic?');
  await userEvent.click(screen.getByRole('button', { name: 'I’m here' }));
  await title('We know that you’re here');
  expect(screen.getByRole('link', { name: 'My appointments' }).getAttribute('href')).toBe('/dash/patient');
  expect(clinic.made()).toEqual([`POST ${action}`]);
});

test('a link of a reminder says that the patient will come', async () => {
  const { clinic } = await openPage('/message-actions/t0ken.x', {
    [`GET ${action}`]: () => ({ json: { ...cancel, action: 'come' } }),
    [`POST ${action}`]: () => ({ json: { action: 'come', visit } }),
  });
  await title('Will you come to this appointment?');
  await userEvent.click(screen.getByRole('button', { name: 'Yes, I’ll come' }));
  await title('Thank you for telling us');
  expect(clinic.made()).toEqual([`POST ${action}`]);
});

test('an unsubscribe link of a message in Bangla leads to a page in Bangla', async () => {
  await openPage('/unsubscribe/t0ken.x?lang=bn', {
    [`GET ${unsubscription}`]: () => ({ json: { kind: 'appointment-reminder', subscribed: true } }),
  });
  await title('এ ধরনের ইমেইল বন্ধ করতে চান?');
  expect(screen.getByText('অ্যাপয়েন্টমেন্টের রিমাইন্ডার')).toBeTruthy();
});

test('a move link asks for a time, and offers others if it was taken meanwhile', async () => {
  const { clinic } = await openPage('/message-actions/t0ken.x', {
    [`GET ${action}`]: inTurn(
      { json: move },
      { json: { ...move, freeTimes: [{ date: '2026-11-25', times: ['11:00'] }] } },
    ),
    [`POST ${action}`]: inTurn(problemAnswer('slot_taken', { detail: 'Someone was faster.' }), {
      json: { action: 'move', visit: { ...visit, date: '2026-11-25', time: '11:00' } },
    }),
  });
  await title('Move this appointment?');
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Move my appointment' }));
  await press();
  await screen.findByText('Choose a time', { selector: '.ui-error' });
  expect(clinic.made()).toEqual([]);

  await userEvent.selectOptions(screen.getByLabelText(/^New time/), 'Wed, Nov 25, 2026 at 10:00 AM');
  await press();
  await screen.findByText('Someone was faster.');
  await waitFor(() => expect(screen.queryByRole('option', { name: /10:00 AM/ })).toBeNull());
  await userEvent.selectOptions(screen.getByLabelText(/^New time/), 'Wed, Nov 25, 2026 at 11:00 AM');
  await press();
  await title('Your appointment is moved');
  expect(clinic.sent(`POST ${action}`)).toEqual({ date: '2026-11-25', time: '11:00' });
});

test.each([
  ['not_found', 'This link doesn’t work'],
  ['too_late', 'This link has expired'],
  ['transition_refused', 'This link can’t be used any more'],
] as const)('a link that is %s says so, and leads to the appointments', async (code, words) => {
  await openPage('/message-actions/t0ken.x', { [`GET ${action}`]: () => problemAnswer(code) });
  await title(words);
  expect(screen.getByRole('link', { name: 'My appointments' }).getAttribute('href')).toBe('/dash/patient');
});

test('a link that is used up between opening and pressing says so', async () => {
  await openPage('/message-actions/t0ken.x', {
    [`GET ${action}`]: () => ({ json: cancel }),
    [`POST ${action}`]: () => problemAnswer('transition_refused'),
  });
  await title('Cancel this appointment?');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel my appointment' }));
  await title('This link can’t be used any more');
});

test('doesn’t say that nothing has changed when the answer was lost', async () => {
  await openPage('/message-actions/t0ken.x', {
    [`GET ${action}`]: () => ({ json: cancel }),
    [`POST ${action}`]: inTurn(problemAnswer('unavailable'), problemAnswer('too_many_appointments')),
  });
  await title('Cancel this appointment?');
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Cancel my appointment' }));
  await press();
  await screen.findByText('We couldn’t confirm it');
  await press();
  await screen.findByText('Nothing has changed');
});

test('doesn’t call a link used up when a service fails', async () => {
  await openPage('/message-actions/t0ken.x', {
    [`GET ${action}`]: inTurn(problemAnswer('internal'), { json: cancel }),
  });
  await title('We couldn’t check your link');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await title('Cancel this appointment?');
});

test('an unsubscribe link asks first, and confirms when it is done', async () => {
  let subscribed = true;
  const answer = () => ({ json: { kind: 'appointment-reminder', subscribed } });
  const { clinic } = await openPage('/unsubscribe/t0ken.x', {
    [`GET ${unsubscription}`]: answer,
    [`POST ${unsubscription}`]: () => {
      subscribed = false;
      return answer();
    },
  });
  await title('Stop these messages?');
  expect(screen.getByText('Appointment reminder')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Stop these messages' }));
  await title('You won’t get these messages any more');
});

test('an unsubscribe link that doesn’t work leads to the preferences', async () => {
  await openPage('/unsubscribe/t0ken.x', { [`GET ${unsubscription}`]: () => problemAnswer('not_found') });
  await title('This link doesn’t work');
  expect(screen.getByRole('link', { name: 'My notifications' }).getAttribute('href')).toBe('/dash/notifications');
});

test('a failure to unsubscribe says whether it is known that nothing has changed', async () => {
  let failure: 'internal' | 'rate_limited' = 'internal';
  await openPage('/unsubscribe/t0ken.x', {
    [`GET ${unsubscription}`]: () => ({ json: { kind: 'order-placed', subscribed: true } }),
    [`POST ${unsubscription}`]: () => problemAnswer(failure),
  });
  await title('Stop these messages?');
  const stop = () => userEvent.click(screen.getByRole('button', { name: 'Stop these messages' }));
  await stop();
  await screen.findByText('We couldn’t confirm it');
  failure = 'rate_limited';
  await stop();
  await screen.findByText('Nothing has changed');
});
