import { load, type Question } from './load.ts';
import type { Program } from './program.ts';

/** One candidate's result in one round. */
export interface Sample {
  readonly perSecond: number;
  /** Its processor time per request, microseconds: depends less than throughput on other load. */
  readonly cpu: number;
  /** Milliseconds that all but one of a hundred requests didn't exceed. */
  readonly p99: number;
}

/** A candidate and its request. */
export interface Candidate {
  readonly program: Program;
  readonly question: Question;
}

export interface RoundOptions {
  readonly rounds: number;
  /** Samples of each candidate in each round. */
  readonly seconds: number;
  readonly connections: number;
}

/**
 * Loads the candidates in turn, so that other load on the machine affects all of them equally. The first round only
 * warms them up.
 *
 * @param candidates by name; missing ones are left out
 * @returns the samples of each candidate, in the order of the rounds
 */
export async function alternate<const Candidates extends Readonly<Record<string, Candidate | undefined>>>(
  candidates: Candidates,
  options: RoundOptions,
): Promise<{
  readonly [Name in keyof Candidates]: undefined extends Candidates[Name] ? Sample[] | undefined : Sample[];
}> {
  const entries = Object.entries(candidates).flatMap(([name, candidate]) =>
    candidate ? [[name, candidate] as const] : [],
  );
  const samples: Record<string, Sample[]> = Object.fromEntries(entries.map(([name]) => [name, []]));
  for (let round = -1; round < options.rounds; round += 1) {
    for (const [name, candidate] of entries) {
      const sample = await measure(candidate, options);
      if (round >= 0) samples[name]?.push(sample);
    }
  }
  return samples as Awaited<ReturnType<typeof alternate<Candidates>>>;
}

async function measure({ program, question }: Candidate, { connections, seconds }: RoundOptions): Promise<Sample> {
  const before = program.cpuSeconds();
  const started = performance.now();
  const times = await load(program.url, question, connections, seconds);
  const answers = times.length;
  return {
    p99: percentile(times, 0.99),
    perSecond: (answers / (performance.now() - started)) * 1000,
    cpu: ((program.cpuSeconds() - before) / answers) * 1e6,
  };
}

/** A percentile of response times. @param part - such as 0.95 */
export function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Median of throughputs, each divided by that of the peer in the same round. */
export function throughputRatio(ours: readonly Sample[], peer: readonly Sample[]): number {
  return median(ours.map(({ perSecond }, round) => perSecond / (peer[round]?.perSecond ?? Number.NaN)));
}

/** Median of 99th percentiles, each divided by that of the peer in the same round. */
export function p99Ratio(ours: readonly Sample[], peer: readonly Sample[]): number {
  return median(ours.map(({ p99 }, round) => p99 / (peer[round]?.p99 ?? Number.NaN)));
}

export const perSecond = (samples: readonly Sample[]): number => median(samples.map((sample) => sample.perSecond));
export const cpuPerRequest = (samples: readonly Sample[]): number => median(samples.map((sample) => sample.cpu));
