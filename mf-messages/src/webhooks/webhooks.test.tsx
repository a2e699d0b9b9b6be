import { notifications } from '@clinic/app-kit/host';
import { proveWhenAsked, shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Webhook, WebhookDelivery } from '../calls.ts';
import { openAsAdmin, paged, readFrom } from '../testing.tsx';

const list = '/messages/webhooks';
const first = `GET ${list}?limit=20`;
const id = 'a'.repeat(24);
const one = `${list}/${id}`;
const secret = `whsec_${'A'.repeat(43)}=`;
const webhook: Webhook = {
  _id: id,
  url: 'https://program.example/hook',
  kinds: ['order-placed'],
  enabled: true,
  createdAt: '2026-11-23T04:00:00.000Z',
};
const press = async (name: string): Promise<void> => userEvent.click(await screen.findByRole('button', { name }));
const dialog = (name: string) => screen.findByRole('dialog', { name });

test('adds a webhook and shows its secret this one time', async () => {
  let rows: readonly Webhook[] = [];
  const { clinic } = await openAsAdmin('/dash/messages/webhooks', {
    [first]: () => paged(rows),
    [`POST ${list}`]: () => {
      rows = [webhook];
      return { status: 201, json: { ...webhook, secret } };
    },
  });
  await screen.findByText('No webhooks yet');
  await userEvent.click(screen.getAllByRole('button', { name: 'Add a webhook' })[0] as HTMLElement);
  const form = await dialog('Add a webhook');
  fireEvent.change(within(form).getByLabelText('Address'), { target: { value: webhook.url } });
  await userEvent.click(within(form).getByRole('checkbox', { name: 'Order placed' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Add' }));
  const shown = await dialog('The webhook’s secret');
  expect(clinic.sent(`POST ${list}`)).toEqual({ url: webhook.url, kinds: ['order-placed'] });
  expect(within(shown).getByLabelText('Secret')).toHaveProperty('value', secret);
  await userEvent.click(within(shown).getByRole('button', { name: 'Done' }));
  await screen.findByText(webhook.url);
  expect(document.body.innerHTML).not.toContain(secret);
});

test('shows what is wrong with an address, and keeps what was entered', async () => {
  await openAsAdmin('/dash/messages/webhooks', {
    [first]: () => paged([webhook]),
    [`PATCH ${one}`]: () =>
      problemAnswer('validation_failed', {
        errors: [{ field: 'url', message: 'This address isn’t on the public internet' }],
      }),
  });
  await press(`Change: ${webhook.url}`);
  const form = await dialog('Change the webhook');
  const address = within(form).getByLabelText('Address');
  fireEvent.change(address, { target: { value: 'https://10.0.0.8/' } });
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
  await within(form).findByText('This address isn’t on the public internet');
  expect(address).toHaveProperty('value', 'https://10.0.0.8/');
});

test('pauses a webhook and takes it back, gives it a new secret, and removes it', async () => {
  let enabled = true;
  let removed = false;
  const { clinic } = await openAsAdmin('/dash/messages/webhooks', {
    [first]: () => paged(removed ? [] : [{ ...webhook, enabled }]),
    [`PATCH ${one}`]: ({ body }) => {
      ({ enabled } = body as Webhook);
      return { json: { ...webhook, enabled } };
    },
    [`POST ${one}/secret`]: () => ({ json: { ...webhook, secret } }),
    [`DELETE ${one}`]: () => {
      removed = true;
      return { status: 204 };
    },
  });
  await press(`Pause: ${webhook.url}`);
  await screen.findByText('Paused');
  await waitFor(() => expect(shownNotifications()).toEqual(['The webhook is paused']));
  await act(async () => notifications.get()[0]?.action?.run());
  await screen.findByText('Active');
  await press(`New secret: ${webhook.url}`);
  await press('Make a new secret');
  expect(within(await dialog('The webhook’s secret')).getByLabelText('Secret')).toHaveProperty('value', secret);
  await press('Done');
  await press(`Remove: ${webhook.url}`);
  await press('Remove');
  await screen.findByText('No webhooks yet');
  expect(clinic.made()).toEqual([`PATCH ${one}`, `PATCH ${one}`, `POST ${one}/secret`, `DELETE ${one}`]);
});

test('asks who it is before each change of a webhook, then makes it', async () => {
  let rows: readonly Webhook[] = [webhook];
  const { clinic } = await openAsAdmin('/dash/messages/webhooks', { [first]: () => paged(rows) });
  const proof = proveWhenAsked(clinic);
  Object.assign(clinic.answers, {
    [`POST ${list}`]: proof.guarded(() => ({ status: 201, json: { ...webhook, secret } })),
    [`PATCH ${one}`]: proof.guarded(() => ({ json: { ...webhook, enabled: false } })),
    [`POST ${one}/secret`]: proof.guarded(() => ({ json: { ...webhook, secret } })),
    [`DELETE ${one}`]: proof.guarded(() => {
      rows = [];
      return { status: 204 };
    }),
  } satisfies typeof clinic.answers);
  await press('Add a webhook');
  fireEvent.change(within(await dialog('Add a webhook')).getByLabelText('Address'), { target: { value: webhook.url } });
  await press('Add');
  await dialog('The webhook’s secret');
  await press('Done');
  proof.expire();
  await press(`Pause: ${webhook.url}`);
  await waitFor(() => expect(proof.asked()).toBe(2));
  await waitFor(() => expect(shownNotifications()).toContain('The webhook is paused'));
  proof.expire();
  await press(`New secret: ${webhook.url}`);
  await press('Make a new secret');
  await dialog('The webhook’s secret');
  await press('Done');
  proof.expire();
  await press(`Remove: ${webhook.url}`);
  await press('Remove');
  await screen.findByText('No webhooks yet');
  expect(proof.asked()).toBe(4);
  proof.stop();
});

test('lists what a webhook was sent, by state, and replays it', async () => {
  const delivery: WebhookDelivery = {
    _id: 'b'.repeat(24),
    event: 'pharmacy_1',
    type: 'order-placed',
    body: '{}',
    status: 'failed',
    attempts: 9,
    createdAt: '2026-11-23T04:00:00.000Z',
    lastError: 'The address answered 500',
  };
  let status: WebhookDelivery['status'] = 'failed';
  const deliveries = `${one}/deliveries`;
  const { clinic, address } = await openAsAdmin(`/dash/messages/webhooks/${id}`, {
    [`GET ${list}?limit=200`]: () => paged([webhook]),
    [`GET ${deliveries}?limit=20`]: () => paged([{ ...delivery, status }]),
    [`GET ${deliveries}?status=delivered&limit=20`]: () => paged([]),
    [`POST /messages/webhook-deliveries/${delivery._id}/replay`]: () => {
      status = 'pending';
      return { json: { ...delivery, status } };
    },
  });
  await screen.findByText(`What ${webhook.url} was sent in the last 30 days.`);
  await screen.findByText('The address answered 500');
  await press('Replay: Order placed, pharmacy_1');
  await waitFor(() => expect(shownNotifications()).toEqual(['The event will be delivered again']));
  const table = screen.getByRole('table', { name: 'Deliveries' });
  await within(table).findByText('Pending');
  expect(screen.queryByRole('button', { name: 'Replay: Order placed, pharmacy_1' })).toBeNull();
  fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'delivered' } });
  await screen.findByText('No deliveries match');
  expect(address()).toBe(`/dash/messages/webhooks/${id}?status=delivered`);
  expect(readFrom(clinic, deliveries)).toContain(`${deliveries}?status=delivered&limit=20`);
});
