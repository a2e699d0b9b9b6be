/** @jest-environment node */
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { ReloadedLists } from './reloaded-lists.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A page that shows a list, and counts how often it is loaded after the first time. */
async function openPage(lists = ['listOrders']) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const counts: Record<string, number> = {};
  for (const list of lists) {
    counts[list] = -1;
    const observer = new QueryObserver(client, {
      queryKey: [list, {}],
      queryFn: async () => {
        counts[list] = (counts[list] ?? 0) + 1;
        return Promise.resolve(counts[list]);
      },
    });
    closing.push(observer.subscribe(() => undefined));
  }
  const reloaded = new ReloadedLists(client);
  await settled(client);
  return { client, counts, reloaded };
}

/** Resolves once nothing is being loaded. */
const settled = (client: QueryClient): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (client.isFetching() > 0) return;
      stop();
      resolve();
    };
    const stop = client.getQueryCache().subscribe(check);
    check();
  });

const answer = (requestId: string) => ({ response: new Response(null, { headers: { 'x-request-id': requestId } }) });

/** A changing call of the page, which loads its list again once it is answered. */
function change({ client, reloaded }: Awaited<ReturnType<typeof openPage>>, invalidates: readonly string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof answer>>();
  reloaded.note(promise);
  const done = promise.then(
    () => Promise.all(invalidates.map((list) => client.invalidateQueries({ queryKey: [list] }))),
    () => undefined,
  );
  return {
    respond: async (requestId = 'own') => {
      resolve(answer(requestId));
      await done;
    },
    lose: async () => {
      reject(new Error('lost'));
      await done;
    },
  };
}

test('an own change loads its list once, whether the hint or the response comes first', async () => {
  const page = await openPage();
  const first = change(page, ['listOrders']);
  await first.respond('first');
  await page.reloaded.reload(['listOrders'], ['first']);
  expect(page.counts).toEqual({ listOrders: 1 });

  const second = change(page, ['listOrders']);
  const hint = page.reloaded.reload(['listOrders'], ['second']);
  await second.respond('second');
  await hint;
  expect(page.counts).toEqual({ listOrders: 2 });
});

test('several own changes in one hint count as loaded once all were, and not with one of another tab among them', async () => {
  const page = await openPage();
  for (const id of ['first', 'second']) await change(page, ['listOrders']).respond(id);
  await page.reloaded.reload(['listOrders'], ['first', 'second']);
  expect(page.counts).toEqual({ listOrders: 2 });
  await page.reloaded.reload(['listOrders'], ['second', 'another tab']);
  expect(page.counts).toEqual({ listOrders: 3 });
});

test('what the page doesn’t load itself is loaded on the hint', async () => {
  const page = await openPage(['listOrders', 'listMedicines']);
  const own = change(page, ['listOrders']);
  await own.respond();
  await page.reloaded.reload(['listOrders', 'listMedicines'], ['own']);
  expect(page.counts).toEqual({ listOrders: 1, listMedicines: 1 });
});

test('others’ changes, those of another tab, and one whose response was lost are loaded on the hint', async () => {
  const page = await openPage();
  await page.reloaded.reload(['listOrders'], undefined);
  expect(page.counts).toEqual({ listOrders: 1 });
  await page.reloaded.reload(['listOrders'], ['another tab']);
  expect(page.counts).toEqual({ listOrders: 2 });
  const own = change(page, ['listOrders']);
  const hint = page.reloaded.reload(['listOrders'], ['own']);
  await own.lose();
  await hint;
  expect(page.counts).toEqual({ listOrders: 3 });
});

test('a change by somebody else right after an own one is loaded, too', async () => {
  const page = await openPage();
  await change(page, ['listOrders']).respond();
  await Promise.all([page.reloaded.reload(['listOrders'], ['own']), page.reloaded.reload(['listOrders'], undefined)]);
  await settled(page.client);
  expect(page.counts).toEqual({ listOrders: 2 });
});
