import { atMost, limited, type Row } from '../support/results.ts';
import { median } from '../support/rounds.ts';
import type { Question } from './domains.ts';
import type { Sized } from './stack.ts';

/** Latency with the most records, relative to that with the fewest. */
const flat = 1.2;

/** Memory in MB of a service that sends the whole list. */
const memoryLimit = 200;

/** Sends the request to services of all sizes in turn, and compares the medians. */
export async function latencyRow(
  sized: readonly Sized[],
  { what, path, grows }: Question,
  cookie: string,
  effort: number,
): Promise<Row> {
  const times = new Map<number, number[]>(sized.map(({ size }) => [size, []]));
  const rounds = Math.max(5, Math.round(60 * effort));
  for (let round = -3; round < rounds; round += 1) {
    for (const { size, program } of sized) {
      const began = performance.now();
      const answer = await fetch(program.url + path, { headers: { Cookie: cookie } });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${path} got status ${answer.status}`);
      if (round >= 0) times.get(size)?.push(performance.now() - began);
    }
  }
  const at = (size: number | undefined): number => median(times.get(size ?? 0) ?? []);
  const [fewest, ...more] = sized.map(({ size }) => size);
  const [most, least] = [at(more.at(-1)), at(fewest)];
  const between = more
    .slice(0, -1)
    .map((size) => `${at(size).toFixed(1)} ms with ${size.toLocaleString('en')}`)
    .join(', ');
  const ratio = most / least;
  const note = grows ?? (ratio > flat && between !== '' ? between : undefined);
  return {
    what,
    ours: { value: most, unit: 'ms' },
    peer: { value: least, unit: 'ms' },
    ...(!grows && { judged: atMost(ratio, flat) }),
    note,
  };
}

/** The whole list at once, as older clients request it. */
export async function wholeList({ size, program }: Sized, list: string, cookie: string): Promise<Row[]> {
  const began = performance.now();
  const answer = await fetch(program.url + list, { headers: { Cookie: cookie } });
  if (answer.status !== 200 || !answer.body) throw new Error(`${list} got status ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  const seconds = (performance.now() - began) / 1000;
  const what = `${list} whole, ${size.toLocaleString('en')} records in ${(bytes / 1e6).toFixed(0)} MB: most memory of the service`;
  return [
    {
      ...limited(what, program.peakMemory() / 1024 ** 2, 'MB', memoryLimit, 'less', `${seconds.toFixed(1)} s`),
      chart: `memory, ${list} whole`,
    },
  ];
}
