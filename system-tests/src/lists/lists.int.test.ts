import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import type { CallId } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import fc from 'fast-check';
import { everyCall, everyRoute } from '../support/every-call.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { answerOf, type ListModel, type Query, type Raw } from './list-model.ts';
import { models } from './models.ts';
import { seedLists } from './seed.ts';

// Every paged list of the contract, queried with generated questions and read to its end, against a model in memory. A
// new list fails here until it has a model.

const lists = (Object.entries(everyRoute) as [CallId, (typeof everyRoute)[CallId]][]).filter(
  ([, { paged }]) => paged === true,
);

/** Parameters of every list. */
const everybodys = ['limit', 'cursor', 'sort'];
const questionsPerList = Number(process.env['LIST_QUESTIONS'] ?? 4);

let services: ThreeServices;
let admin: string;
before(async () => {
  // What is due, over or free depends on it. It doesn't go on between tests: the services would take the leap for an outage.
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  services = await startThreeServices({ messages: 'idle' });
  await seedLists(services);
});
// Many questions may take longer than a session token lives.
beforeEach(async () => {
  admin = await services.signIn(people.admin.email);
});
after(() => services.close());

interface Answer {
  readonly status: number;
  readonly rows: readonly Raw[];
  readonly next: string | undefined;
  readonly total: string | null;
}

async function ask(id: CallId, path: string): Promise<Answer> {
  const answer = await services.from(admin)(everyRoute[id].service)(path);
  const body: unknown = await answer.json();
  return {
    status: answer.status,
    rows: Array.isArray(body) ? (body as Raw[]) : [body as Raw],
    next: /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1],
    total: answer.headers.get('x-total-count'),
  };
}

/** The URL of a question; path parameters are taken from the query. */
function addressOf(id: CallId, query: Query): string {
  const { path } = everyRoute[id];
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const search = new URLSearchParams(
    Object.entries(query).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !inPath.includes(entry[0]),
    ),
  );
  return `${path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(query[name] ?? ''))}?${search.toString()}`;
}

/** The shortest valid question for a list. */
function plainQuery(id: CallId): Query {
  const required = Object.entries(models[id]?.filters ?? {}).filter(([, { required: always }]) => always);
  return Object.fromEntries(required.map(([name, { values }]) => [name, values([])[0] ?? 'somebody@mail.example']));
}

test('every list has a model of every parameter in its contract', () => {
  for (const [id, { path }] of lists) {
    const model = models[id];
    assert.ok(
      model,
      `${id} has no model. Add one to system-tests/src/lists/models.ts (its records, the meaning of each query parameter, its orders), and similar records to seed.ts.`,
    );
    const { query: schema }: CallSchemas = everyCall[id];
    const query = Object.keys((schema as unknown as { readonly shape?: object } | undefined)?.shape ?? {});
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    for (const name of [...query, ...inPath]) {
      if (everybodys.includes(name) || model.notFilters?.includes(name)) continue;
      assert.ok(
        model.filters[name],
        `The model of ${id} doesn't know ${name}. Add to system-tests/src/lists/models.ts which records it leaves, and which values to try.`,
      );
    }
    for (const name of Object.keys(model.filters))
      assert.ok(
        [...query, ...inPath].includes(name),
        `${id} no longer takes ${name}; remove it from its model in system-tests/src/lists/models.ts.`,
      );
  }
});

for (const [id] of lists) {
  test(`${id} answers like its model`, async () => {
    const model = models[id] ?? assert.fail(`${id} has no model`);
    const {
      rows: [rejection],
    } = await ask(id, addressOf(id, { ...plainQuery(id), sort: 'nothing' }));
    const orders = /^Sort must be one of (.+)$/
      .exec(String((rejection?.['errors'] as { readonly message?: string }[] | undefined)?.[0]?.message))?.[1]
      ?.split(', ');
    assert.deepEqual(
      orders,
      Object.keys(model.orders),
      `The orders of ${id} differ from those of its model in system-tests/src/lists/models.ts.`,
    );

    const records = await model.records(services);
    assert.ok(
      records.length > 20,
      `${id} has too few records to show a fault. Add some to system-tests/src/lists/seed.ts.`,
    );
    // Each value alone first, where nothing else hides its effect; then combinations.
    for (const [name, { values }] of Object.entries(model.filters)) {
      for (const value of new Set(values(records)))
        await compare(id, model, records, { ...plainQuery(id), [name]: value }, undefined);
    }
    await fc.assert(
      fc.asyncProperty(questionsTo(model, records), ({ query, pages }) => compare(id, model, records, query, pages)),
      { numRuns: questionsPerList, interruptAfterTimeLimit: 60_000 },
    );
  });
}

/** Any combination of filters, any order, and the page size. */
function questionsTo(
  model: ListModel,
  records: readonly Raw[],
): fc.Arbitrary<{ readonly query: Query; readonly pages: number | undefined }> {
  const filters = Object.entries(model.filters).map(([name, { values, required }]) => {
    const value = fc.constantFrom(...values(records));
    // Alone as often as combined: combined filters soon match nothing.
    return [name, required ? value : fc.option(value, { nil: undefined, freq: 1 })] as const;
  });
  return fc.record({
    query: fc.record({
      ...Object.fromEntries(filters),
      sort: fc.option(fc.constantFrom(...Object.keys(model.orders)), { nil: undefined }),
    }) as fc.Arbitrary<Query>,
    pages: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 4 }),
  });
}

async function compare(
  id: CallId,
  model: ListModel,
  records: readonly Raw[],
  query: Query,
  pages: number | undefined,
): Promise<void> {
  const expected = answerOf(model, records, query);
  const rowId = model.rowId ?? (({ _id }) => String(_id));
  const limit = pages === undefined ? undefined : Math.min(200, Math.max(1, Math.ceil(expected.length / pages)));
  const address = addressOf(id, { ...query, limit: limit?.toString() });
  const found: string[] = [];
  for (let next: string | undefined = address; next !== undefined;) {
    const answer: Answer = await ask(id, next);
    assert.equal(answer.status, 200, `${next}: ${JSON.stringify(answer.rows[0])}`);
    assert.equal(answer.total, limit === undefined ? null : String(expected.length), next);
    assert.ok(
      limit === undefined || (answer.rows.length <= limit && (answer.rows.length > 0 || expected.length === 0)),
      `${next} is a page of ${answer.rows.length}`,
    );
    found.push(...answer.rows.map(rowId));
    next = answer.next;
  }
  assert.deepEqual(found, expected, address);
}

test('no list accepts another list’s cursor, an invalid cursor or limit, or an unknown order', async () => {
  const cursors = new Map<CallId, string>();
  for (const [id] of lists) {
    const { next, status } = await ask(id, addressOf(id, { ...plainQuery(id), limit: '1' }));
    assert.equal(status, 200, id);
    if (next !== undefined) cursors.set(id, new URL(next, 'http://localhost').searchParams.get('cursor') ?? '');
  }
  assert.ok(cursors.size > lists.length / 2);
  const rejected = async (id: CallId, query: Query, field: string): Promise<void> => {
    const {
      status,
      rows: [problem],
    } = await ask(id, addressOf(id, { ...plainQuery(id), ...query }));
    assert.deepEqual(
      [status, (problem?.['errors'] as { readonly field: string }[] | undefined)?.[0]?.field],
      [400, field],
      `${id} ${JSON.stringify(query)}`,
    );
  };
  // All lists read both in one place: one of each shows that a list does.
  const known = [...cursors];
  const limits = ['0x10', '1e2', '', '-1', '0', '201', '１'];
  for (const [at, [id]] of lists.entries()) {
    const [, cursor = ''] = known.filter(([other]) => other !== id)[at % (known.length - 1)] ?? [];
    await rejected(id, { limit: '1', cursor }, 'cursor');
    await rejected(id, { limit: limits[at % limits.length] }, 'limit');
  }
});
