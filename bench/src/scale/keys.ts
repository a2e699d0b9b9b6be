import { Writable } from 'node:stream';
import { startService, type ServiceContext } from '@clinic/service-kit';
import { withUriOption } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';
import { clinicService } from '../../../svc-clinic/src/service.ts';
import { identityService } from '../../../svc-identity/src/service.ts';
import { pharmacyService } from '../../../svc-pharmacy/src/service.ts';
import type { Area } from '../support/area.ts';
import { serviceEnv } from '../support/program.ts';
import { atMost, limited, type Row } from '../support/results.ts';
import type { Domain, Question } from './domains.ts';
import { inOrder, ScaleStack } from './stack.ts';

/** Keys and documents with the most records, relative to those with the fewest. */
const flat = 1.2;

/** Records of every kind that is not a domain's main one. */
const others = 1_000;

const sizesFor = (effort: number): readonly [number, number] => (effort < 1 ? [1_000, 10_000] : [1_000, 1_000_000]);

type Starting = Parameters<typeof startService>[1];

const starts = {
  clinic: (options: Starting) => startService(clinicService, options),
  identity: (options: Starting) => startService(identityService, options),
  pharmacy: (options: Starting) => startService(pharmacyService, options),
} as const;

const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** The parts of a query's command that `explain` takes. */
const parts: Readonly<Record<string, readonly string[]>> = {
  find: ['find', 'filter', 'sort', 'limit', 'projection'],
  aggregate: ['aggregate', 'pipeline', 'cursor'],
};

/** What the database reads for one request: index keys and documents, for the rows and for what is counted of them. */
interface Examined {
  readonly rows: number;
  readonly counts: number;
}

/** Reads below this, about a page, are as good as none. */
const page = 40;

/** None of a list's counts reads more, by keys and documents: each stops at 5,000 rows. */
const countReads = 2 * 5_001;

/**
 * What lists, searches and sorts read of an index, which no busy machine changes: the queries that a service makes are repeated with
 * `explain`.
 */
export const keys: Area = {
  name: 'keys',
  title: 'Index keys that lists and searches read',
  within: 1_800,
  byName: true,
  async run(context) {
    const stack = await ScaleStack.start(context, undefined);
    const [few, many] = sizesFor(context.effort);
    // The services follow its feed of changed rights.
    const [identity] = inOrder;
    if (identity) await stack.empty(identity, 0);
    const rows: Row[] = [];
    for (const domain of inOrder) {
      const counted: ReadonlyMap<Question, Examined>[] = [];
      for (const size of [few, many]) {
        counted.push(await examinedBy(stack, domain, size));
        context.say(`${domain.service}: ${size.toLocaleString('en')} ${domain.main}`);
      }
      rows.push(...rowsOf(domain, counted));
    }
    return {
      how: `The queries of each request, explained with ${few.toLocaleString('en')} and ${many.toLocaleString('en')} records on the embedded engine: keys and documents examined. No time is measured.`,
      peerName: `with ${few.toLocaleString('en')}`,
      rows,
    };
  },
};

function rowsOf({ questions }: Domain, [least, most]: readonly ReadonlyMap<Question, Examined>[]): Row[] {
  return questions
    .filter(({ of }) => of === undefined)
    .flatMap((question) => {
      const [few, many] = [least?.get(question), most?.get(question)].map((read) => read ?? { rows: 0, counts: 0 });
      const row: Row = {
        what: question.what,
        ours: { value: many?.rows ?? 0, unit: 'reads' },
        peer: { value: few?.rows ?? 0, unit: 'reads' },
        judged: atMost(Math.max(page, many?.rows ?? 0) / Math.max(page, few?.rows ?? 0), flat),
      };
      if (!many?.counts) return [row];
      const what = `${question.what}: its count`;
      const peer = { value: few?.counts ?? 0, unit: 'reads' };
      const counts: Row =
        question.grows === undefined
          ? { ...limited(what, many.counts, 'reads', countReads), peer }
          : { what, ours: { value: many.counts, unit: 'reads' }, peer, note: question.grows };
      return [row, counts];
    });
}

/** What a service's queries examine with this number of records, by question. */
async function examinedBy(stack: ScaleStack, domain: Domain, size: number): Promise<ReadonlyMap<Question, Examined>> {
  const database = `keys_${domain.service}_${size}`;
  // The engine answers nothing else while it writes many records.
  const uri = withUriOption(withUriOption(stack.uri, 'monitorCommands', 'true'), 'connectTimeoutMS', '600000');
  const start = () =>
    starts[domain.service]({
      env: {
        ...serviceEnv({ uri, database, identityUrl: stack.identityUrl }, stack.keySettings),
        HOST: '127.0.0.1',
        PORT: '0',
      },
      logTo: silent(),
    });
  // Creates the indexes, and changes no record later.
  await (await start()).close();
  await stack.fill({ database, size }, domain, (name) => (name === domain.main ? Infinity : others));
  const service = await start();
  try {
    return await askedOf(service, domain, await stack.cookie());
  } finally {
    await service.close();
  }
}

async function askedOf(
  { url, context: { client, db } }: { readonly url: string; readonly context: Pick<ServiceContext, 'client' | 'db'> },
  { questions }: Domain,
  cookie: string,
): Promise<ReadonlyMap<Question, Examined>> {
  const examined = new Map<Question, Examined>();
  for (const question of questions) {
    // A machine with other work to do answers 503.
    const queries = await waitUntil(() =>
      queriesOf(client, db.databaseName, async () => {
        const answer = await fetch(url + question.path, { headers: { Cookie: cookie } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${question.path} got status ${answer.status}`);
      }),
    );
    examined.set(question, await explained(db, queries));
  }
  return examined;
}

async function queriesOf(client: MongoClient, database: string, act: () => Promise<void>): Promise<Document[]> {
  const queries: Document[] = [];
  const listen = ({ commandName, command, databaseName }: CommandStartedEvent): void => {
    const fields = parts[commandName];
    // A change stream of the whole database has no collection, and what runs in the background names no request.
    if (!fields || databaseName !== database || typeof command[commandName] !== 'string' || !command['comment']) return;
    queries.push(
      Object.fromEntries(fields.filter((field) => field in command).map((field) => [field, command[field]])),
    );
  };
  client.on('commandStarted', listen);
  try {
    await act();
    return queries;
  } finally {
    client.off('commandStarted', listen);
  }
}

async function explained(db: Db, queries: readonly Document[]): Promise<Examined> {
  const sum = { rows: 0, counts: 0 };
  for (const query of queries) {
    const answer = await db.command({ explain: counted(query) ?? query, verbosity: 'executionStats' });
    const { totalKeysExamined, totalDocsExamined } = answer['executionStats'] as {
      readonly totalKeysExamined: number;
      readonly totalDocsExamined: number;
    };
    const reads = totalKeysExamined + totalDocsExamined;
    if (readsRows(query)) sum.rows += reads;
    else sum.counts = Math.max(sum.counts, reads);
  }
  return sum;
}

/** A page of a search is sorted after one of its conditions has found few rows. */
function readsRows({ pipeline }: Document): boolean {
  return pipeline === undefined || (pipeline as readonly Document[]).some((stage) => '$sort' in stage);
}

/** What a pipeline reads first, as a query: `explain` of a pipeline reads on after its `$limit`, on the embedded engine. */
function counted({ aggregate, pipeline }: Document): Document | undefined {
  const [{ $match: filter } = {}, { $limit: limit } = {}] = (pipeline ?? []) as readonly Document[];
  return filter && limit
    ? { find: aggregate as string, filter: filter as Document, limit: limit as number }
    : undefined;
}
