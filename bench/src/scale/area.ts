import type { Area, AreaContext } from '../support/area.ts';
import type { Row } from '../support/results.ts';
import type { Domain } from './domains.ts';
import { latencyRow, wholeList } from './latency.ts';
import { inOrder, ScaleStack, type Sized } from './stack.ts';

export const scale: Area = {
  name: 'scale',
  title: 'Ever more records',
  // A server takes minutes to write a million records of each kind.
  within: process.env['MONGODB_URI'] ? 1800 : 420,
  async run(context) {
    const real = process.env['MONGODB_URI'];
    const sizes = context.effort < 1 ? [1_000, 10_000] : [1_000, 10_000, 100_000, ...(real ? [1_000_000] : [])];
    const stack = await ScaleStack.start(context, real);
    const rows: Row[] = [];
    for (const domain of inOrder) rows.push(...(await measured(stack, domain, sizes, context)));
    const most = sizes.at(-1) ?? 0;
    return {
      how: `The real services with ${sizes.map((size) => size.toLocaleString('en')).join(', ')} records each, on ${real ? 'a MongoDB server' : 'the embedded engine'}; one client asks all sizes in turn, medians.`,
      peerName: 'with 1,000',
      rows,
      remarks: [
        `"ours" is with ${most.toLocaleString('en')} records. A count stops at 5,000 rows (X-Total-Count-Relation: gte), which a list of 1,000 has not: where a filter finds thousands, that count is what a ratio above 1 consists of.`,
      ],
    };
  },
};

async function measured(
  stack: ScaleStack,
  domain: Domain,
  sizes: readonly number[],
  { effort, say }: AreaContext,
): Promise<Row[]> {
  const sized: Sized[] = [];
  for (const size of sizes) {
    const one = await stack.empty(domain, size);
    say(`${domain.service}: ${size.toLocaleString('en')} records …`);
    await stack.fill(one, domain);
    sized.push(one);
  }
  const rows: Row[] = [];
  const cookie = await stack.cookie();
  for (const question of domain.questions) rows.push(await latencyRow(sized, question, cookie, effort));
  const most = sized.at(-1);
  if (most) rows.push(...(await wholeList(most, domain.whole, cookie)));
  // Frees their memory.
  await stack.stop(sized);
  return rows;
}
