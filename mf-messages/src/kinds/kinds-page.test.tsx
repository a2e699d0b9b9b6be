import { notifications } from '@clinic/app-kit/host';
import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer, type TestAnswer } from '@clinic/app-kit/test-server';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAsAdmin } from '../testing.tsx';

const kinds = '/messages/kinds';
const preview = (kind: string, language = 'en') => `GET ${kinds}/${kind}/preview?language=${language}`;
const booked: TestAnswer = {
  json: {
    subject: 'Your appointment on Tuesday',
    text: 'See https://clinic.example/dash/patient for more.',
    html: '<!doctype html><html lang="en"><head><style>p { margin: 0 }</style></head><body><p style="color: red">Dr. Grey</p></body></html>',
  },
};

function storedKinds() {
  let enabled = true;
  const setting = () => ({ kind: 'order-placed', enabled, canOptOut: true });
  return {
    [`GET ${kinds}`]: () => ({ json: [setting(), { kind: 'role-changed', enabled: true, canOptOut: false }] }),
    [`PATCH ${kinds}/order-placed`]: ({ body }: { readonly body: unknown }) => {
      ({ enabled } = body as { enabled: boolean });
      return { json: setting() };
    },
  };
}

test('switches a kind off for everybody, and takes it back', async () => {
  const { clinic } = await openAsAdmin('/dash/messages/kinds', {
    ...storedKinds(),
    [preview('appointment-booked')]: () => booked,
  });
  const orders = await screen.findByRole('switch', { name: 'Order placed' });
  await userEvent.click(orders);
  await waitFor(() => expect(shownNotifications()).toEqual(['Order placed: not sent any more']));
  expect(clinic.sent(`PATCH ${kinds}/order-placed`)).toEqual({ enabled: false });
  await waitFor(() => expect(orders).toHaveProperty('checked', false));
  await act(async () => notifications.get()[0]?.action?.run());
  expect(clinic.sent(`PATCH ${kinds}/order-placed`)).toEqual({ enabled: true });
  await waitFor(() => expect(orders).toHaveProperty('checked', true));
});

test('shows the template of the kind and language in the address as text and as HTML that can’t run anything', async () => {
  const { address } = await openAsAdmin('/dash/messages/kinds?kind=nonsense', {
    ...storedKinds(),
    [preview('appointment-booked')]: () => booked,
    [preview('order-shipped')]: () => ({ json: { subject: 'On its way', text: 'Soon', html: '<p>Soon</p>' } }),
    [preview('order-shipped', 'bn')]: () => ({
      json: { subject: 'পাঠানো হয়েছে', text: 'শিগগির', html: '<html lang="bn"><body><p>শিগগির</p></body></html>' },
    }),
  });
  await screen.findByText('Your appointment on Tuesday');
  const frame = screen.getByTitle<HTMLIFrameElement>('Your appointment on Tuesday, as HTML');
  expect(frame.getAttribute('sandbox')?.split(' ')).not.toContain('allow-scripts');
  await waitFor(() => expect(frame.contentDocument?.body.textContent).toBe('Dr. Grey'));
  expect(screen.getByRole('link', { name: 'https://clinic.example/dash/patient' }).getAttribute('target')).toBe(
    '_blank',
  );
  await userEvent.selectOptions(screen.getByLabelText('Kind of message'), 'Order shipped');
  await screen.findByText('On its way');
  await userEvent.selectOptions(screen.getByLabelText('Language'), 'বাংলা');
  expect((await screen.findByText('পাঠানো হয়েছে')).lang).toBe('bn');
  expect(address()).toBe('/dash/messages/kinds?kind=order-shipped&language=bn');
});

test('says what couldn’t be loaded or changed', async () => {
  await openAsAdmin('/dash/messages/kinds', {
    ...storedKinds(),
    [`PATCH ${kinds}/order-placed`]: () => problemAnswer('internal'),
    [preview('appointment-booked')]: () => problemAnswer('internal'),
  });
  await screen.findByText('Error loading the preview');
  const orders = await screen.findByRole('switch', { name: 'Order placed' });
  await userEvent.click(orders);
  await waitFor(() => expect(shownNotifications()).toHaveLength(1));
  expect(orders).toHaveProperty('checked', true);
});
