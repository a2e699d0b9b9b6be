import { clinicCalls } from '@clinic/svc-clinic/contract';
import { identityCalls } from '@clinic/svc-identity/contract';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { queryClient } from '../host/app.ts';
import { notifications } from '../host/notify.ts';
import { addCalls } from './call-table.ts';
import { useCall } from './use-call.ts';
import { useChange } from './use-change.ts';
import { useListState } from '../lists/use-list-state.ts';
import { usePagedCall } from '../lists/use-paged-call.ts';
import { muteExpectedLogs, prepareEnvironment } from '../testing/test-environment.ts';
import { problemResponse } from '../testing/test-gateway.ts';

addCalls({ ...identityCalls, ...clinicCalls, ...pharmacyCalls });

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

let sent: Sent[];
let answer: (sent: Sent) => Response;

muteExpectedLogs();
beforeAll(prepareEnvironment);
beforeEach(() => {
  sent = [];
  queryClient.clear();
  notifications.set([]);
  // The transport is tested in api-client.test.ts; here only the hooks' requests matter.
  jest.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) => {
    const request = { url: typeof input === 'string' ? input : '', init };
    sent.push(request);
    return Promise.resolve(answer(request));
  });
});

function show(Screen: () => ReactNode, address = '/'): ReturnType<typeof createMemoryRouter> {
  const router = createMemoryRouter([{ path: '/', element: <Screen /> }], { initialEntries: [address] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

function List() {
  const list = useListState();
  const users = usePagedCall('listUsers', { q: list.q }, { limit: 2 });
  return (
    <div aria-busy={users.refreshing}>
      <input aria-label="Search" value={list.text} onChange={(event) => list.setText(event.target.value)} />
      {users.loading && <p>Loading...</p>}
      {users.error && <p>Failed: {users.error.code}</p>}
      <p>
        Total {users.total ?? '?'}: {users.rows.map(({ firstName }) => firstName).join(' ')}
      </p>
      <button type="button" disabled={!users.hasPrevious} onClick={users.previous}>
        Previous
      </button>
      <button type="button" disabled={!users.hasNext} onClick={users.next}>
        Next
      </button>
      <button type="button" onClick={users.retry}>
        Retry
      </button>
    </div>
  );
}

describe('a paged list', () => {
  /** Pages of one person each; the cursor is the index. */
  const people = ['Amina', 'Rafiq', 'Sofia'];
  beforeEach(() => {
    answer = ({ url }) => {
      const cursor = Number(new URL(url, 'http://any').searchParams.get('cursor') ?? 0);
      const headers: Record<string, string> = { 'x-total-count': '3' };
      if (cursor < 2) headers['link'] = `</users?limit=2&cursor=${cursor + 1}>; rel="next"`;
      return Response.json([{ firstName: people[cursor] }], { headers });
    };
  });

  test('keeps showing why it failed while it is polled again, until the person retries', async () => {
    answer = () => problemResponse('forbidden', 403);
    show(List);
    await screen.findByText('Failed: forbidden');
    let finish = (): void => undefined;
    jest
      .mocked(fetch)
      .mockImplementation(
        () =>
          new Promise((resolve) => (finish = () => resolve(Response.json([], { headers: { 'X-Total-Count': '0' } })))),
      );
    act(() => void queryClient.invalidateQueries({ queryKey: ['listUsers'] }));
    await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
    screen.getByText('Failed: forbidden');
    expect(screen.queryByText('Loading...')).toBeNull();
    await userEvent.click(screen.getByText('Retry'));
    await screen.findByText('Loading...');
    finish();
    await screen.findByText('Total 0:');
  });

  test('goes forward and back, with the page in the address', async () => {
    const router = show(List);
    await screen.findByText('Total 3: Amina');
    expect(screen.getByText('Previous')).toHaveProperty('disabled', true);
    await userEvent.click(screen.getByText('Next'));
    await screen.findByText('Total 3: Rafiq');
    await userEvent.click(screen.getByText('Next'));
    await screen.findByText('Total 3: Sofia');
    expect(router.state.location.search).toBe('?cursor=2');
    expect(screen.getByText('Next')).toHaveProperty('disabled', true);
    await userEvent.click(screen.getByText('Previous'));
    await screen.findByText('Total 3: Rafiq');
    await userEvent.click(screen.getByText('Previous'));
    await screen.findByText('Total 3: Amina');
    expect(router.state.location.search).toBe('');
  });

  test('opened by a link goes back to the first page', async () => {
    const router = show(List, '/?cursor=2');
    await screen.findByText('Total 3: Sofia');
    await userEvent.click(screen.getByText('Previous'));
    await screen.findByText('Total 3: Amina');
    expect(router.state.location.search).toBe('');
  });

  test('starts over if its cursor is rejected as outdated', async () => {
    const pages = answer;
    answer = (request) =>
      request.url.includes('cursor=old') ? problemResponse('malformed_request', 400) : pages(request);
    const router = show(List, '/?cursor=old');
    await screen.findByText('Failed: malformed_request');
    await userEvent.click(screen.getByText('Retry'));
    await screen.findByText('Total 3: Amina');
    expect(router.state.location.search).toBe('');
  });

  test('is searched from the first page once typing pauses', async () => {
    const router = show(List, '/?cursor=2');
    await screen.findByText('Total 3: Sofia');
    // Without a delay, a busy machine can't pause between the keys.
    await userEvent.setup({ delay: null }).type(screen.getByLabelText('Search'), ' ami');
    await waitFor(() => expect(router.state.location.search).toBe('?q=ami'));
    await screen.findByText('Total 3: Amina');
    expect(sent.map(({ url }) => url)).toEqual(['/users?limit=2&cursor=2', '/users?q=ami&limit=2']);
  });
});

describe('an order', () => {
  const key = ({ init }: Sent): string | undefined => (init.headers as Record<string, string>)['idempotency-key'];
  const order = { items: [], deliveryAddress: 'Here', customeremail: 'a@clinic.example', customerPhone: '123' };

  function Order() {
    const place = useChange('placeOrder', { success: 'order created' });
    return (
      <>
        <button type="button" onClick={() => place.mutate({ body: order })}>
          Here
        </button>
        <button type="button" onClick={() => place.mutate({ body: { ...order, deliveryAddress: 'There' } })}>
          There
        </button>
      </>
    );
  }

  test('keeps its key while the same body is retried, and gets a new one for anything else', async () => {
    answer = () => problemResponse('unavailable', 503, { detail: 'Come back later' });
    show(Order);
    const press = async (name: string, times: number) => {
      await userEvent.click(screen.getByText(name));
      await waitFor(() => expect(sent).toHaveLength(times));
    };
    await press('Here', 1);
    await waitFor(() => expect(notifications.get()).toMatchObject([{ kind: 'error', text: 'Come back later' }]));
    await press('Here', 2);
    answer = () => Response.json({ _id: '1' });
    await press('There', 3);
    await waitFor(() => expect(notifications.get()).toMatchObject([{ kind: 'success', text: 'order created' }]));
    await press('There', 4);
    const [first, again, other, later] = sent.map(key);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(again).toBe(first);
    expect(new Set([first, other, later]).size).toBe(3);
  });
});

test('a change of which nobody knows whether it was made loads what is stored; a rejected one doesn’t', async () => {
  function Change() {
    const { data } = useCall('getUser', { params: { email: 'ann@mail.example' } });
    const change = useChange('changeOwnProfile', { invalidates: ['getUser'], failure: false });
    return (
      <button
        type="button"
        onClick={() => change.mutate({ params: { email: 'ann@mail.example' }, body: { phone: '2' } })}
      >
        {data?.phone}
      </button>
    );
  }
  let [status, phone] = [409, '1'];
  answer = ({ init }) => (init.method === 'PATCH' ? problemResponse('any', status) : Response.json({ phone }));
  show(Change);
  await userEvent.click(await screen.findByText('1'));
  await waitFor(() => expect(sent).toHaveLength(2));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(sent).toHaveLength(2);
  [status, phone] = [503, '2'];
  await userEvent.click(screen.getByText('1'));
  expect(await screen.findByText('2')).toBeTruthy();
});

describe('Undo of a change', () => {
  const user = { email: 'ann@mail.example', phone: '1' };
  function Profile() {
    const change = useChange('changeOwnProfile', {
      success: 'Saved',
      undo: (_, { params }) => ({
        call: 'changeOwnProfile',
        input: { params, body: { phone: user.phone } },
        done: 'As it was',
      }),
    });
    return (
      <button type="button" onClick={() => change.mutate({ params: { email: user.email }, body: { phone: '2' } })}>
        Save
      </button>
    );
  }
  const texts = () => notifications.get().map(({ kind, text, detail }) => [kind, text, detail]);
  async function save(): Promise<() => void | Promise<unknown>> {
    show(Profile);
    await userEvent.click(screen.getByText('Save'));
    await waitFor(() => expect(texts()).toEqual([['success', 'Saved', undefined]]));
    const [{ action } = {}] = notifications.get();
    expect(action?.label).toBe('Undo');
    return action?.run ?? (() => undefined);
  }

  test('is a call of its own, sent when it is pressed, with its own message and no Undo', async () => {
    answer = () => Response.json(user);
    const run = await save();
    expect(sent).toHaveLength(1);
    await act(async () => void (await run()));
    expect(sent.map(({ init }) => [init.method, init.body])).toEqual([
      ['PATCH', '{"phone":"2"}'],
      ['PATCH', '{"phone":"1"}'],
    ]);
    expect(texts()).toContainEqual(['success', 'As it was', undefined]);
    expect(notifications.get().at(-1)?.action).toBeUndefined();
  });

  test('says why if the server rejects it', async () => {
    answer = () => Response.json(user);
    const run = await save();
    answer = () => problemResponse('forbidden', 403, { detail: 'Not yours' });
    await act(async () => void (await run()));
    expect(texts()).toContainEqual(['error', 'We couldn’t undo it', 'Not yours']);
  });
});

test('a request that hangs is given up when its page is left or the search typed on: it holds no connection', async () => {
  const open = (): string[] => sent.flatMap(({ url, init }) => (init.signal?.aborted ? [] : [url]));
  jest.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) => {
    sent.push({ url: typeof input === 'string' ? input : '', init });
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  });
  function Hanging() {
    const { text, q, setText } = useListState();
    useCall('findPatients', { query: { q: q ?? '' } });
    usePagedCall('listUsers', { q }, { limit: 2 });
    return <input aria-label="Search" value={text} onChange={(event) => setText(event.target.value)} />;
  }
  const router = show(() => {
    const [shown, setShown] = useState(true);
    return shown ? (
      <div>
        <Hanging />
        <button onClick={() => setShown(false)}>Leave</button>
      </div>
    ) : null;
  }, '/?q=an');
  await waitFor(() => expect(open()).toHaveLength(2));
  await act(() => router.navigate('/?q=ann'));
  await waitFor(() => expect(sent).toHaveLength(4));
  expect(open().every((url) => url.endsWith('=ann') || url.includes('q=ann'))).toBe(true);
  expect(open()).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(open()).toEqual([]));
});
