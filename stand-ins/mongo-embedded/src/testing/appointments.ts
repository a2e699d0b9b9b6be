import type { Collection, Document } from 'mongodb';
import type { TestServer } from './harness.ts';

/** The stages of the chosen plan, outermost first, with the index's name. */
export function stages(explained: Document): string[] {
  const names: string[] = [];
  for (
    let stage = explained['queryPlanner'].winningPlan as Document | undefined;
    stage;
    stage = stage['inputStage'] as Document | undefined
  ) {
    names.push(
      stage['stage'] === 'IXSCAN' ? `IXSCAN ${stage['indexName']} ${stage['direction']}` : (stage['stage'] as string),
    );
  }
  return names;
}

/** 400 appointments with indexes like the clinic's. */
export async function appointments(server: TestServer): Promise<Collection<Document>> {
  const collection = server.fresh();
  await collection.insertMany(
    Array.from(
      { length: 400 },
      (_, n) =>
        ({
          _id: n as unknown as Document,
          doctor: `d${n % 4}`,
          date: `2030-01-${10 + (n % 20)}`,
          status: n % 3 === 0 ? 'Cancelled' : 'Pending',
          people: [`p${n % 7}`, `d${n % 4}`],
          words: [`ann${n % 9}`, 'grey'],
        }) as Document,
    ),
  );
  await collection.createIndexes([
    { key: { date: 1, _id: 1 }, name: 'date' },
    { key: { doctor: 1, date: -1, _id: -1 }, name: 'doctor' },
    { key: { people: 1, date: 1, _id: 1 }, name: 'people' },
    { key: { words: 1 }, name: 'words' },
    {
      key: { doctor: 1, date: 1 },
      name: 'held',
      partialFilterExpression: { status: { $in: ['Pending', 'Confirmed'] } },
    },
  ]);
  return collection;
}
