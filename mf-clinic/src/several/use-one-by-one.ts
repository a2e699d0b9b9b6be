import { ApiProblem, notify, useQueryClient } from '@clinic/app-kit';
import { isUnknown } from '@clinic/contracts/outcome';
import { seriesLimits } from '@clinic/svc-clinic/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { reasonsOf } from '../rejection.tsx';

export const count = (number: number): string => (number === 1 ? '1 appointment' : `${number} appointments`);
const are = (number: number): string => `${count(number)} ${number === 1 ? 'is' : 'are'}`;

interface Named {
  readonly _id: string;
  readonly patientname: string;
}

interface Outcome<Done> {
  /** What has to be done before any is changed, as long as it is `wanted`; false: none is. */
  readonly first?: (wanted: () => boolean) => Promise<boolean>;
  /** 'moved', in '3 appointments are moved'. */
  readonly done: string;
  /** Takes those back that are done; absent: it can't be undone. */
  readonly undo?: (done: readonly Done[]) => Promise<unknown>;
}

/** Changes several appointments one after another: one that is rejected stays as it is, with its reason, and the others go on. */
export function useOneByOne() {
  const client = useQueryClient();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  // Whoever leaves while something is done first wants none of them changed.
  useEffect(
    () => () => {
      running.current = false;
    },
    [],
  );
  const reload = () => Promise.all(touchedByAppointments.map((list) => client.invalidateQueries({ queryKey: [list] })));

  /** @returns those that are done */
  async function run<One extends Named, Done extends Named>(
    those: readonly One[],
    change: (one: One) => Promise<Done>,
    { first, done, undo }: Outcome<Done>,
  ): Promise<readonly Done[]> {
    if (running.current) return [];
    running.current = true;
    setBusy(true);
    const failed = new Map<string, Failed>();
    const changed: Done[] = [];
    try {
      const wanted = (): boolean => running.current;
      if (first && !((await first(wanted)) && wanted())) return [];
      for (const one of those) {
        try {
          changed.push(await change(one));
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          failed.set(one._id, [error, reasonsOf(error)]);
        }
      }
    } finally {
      running.current = false;
      setBusy(false);
    }
    if (changed.length > 0)
      notify.success(
        `${are(changed.length)} ${done}`,
        undefined,
        undo && { label: 'Undo', run: () => takeBack(changed, undo).then(reload) },
      );
    tellOfFailures([...failed.values()], done, 3);
    setFailures(new Map([...failed].map(([id, [, reason]]) => [id, reason])));
    await reload();
    return changed;
  }

  return { run, busy, failures, reset: () => setFailures(new Map()) };
}

type Failed = readonly [problem: ApiProblem, reason: string];

/** Says how many weren't changed, and of how many nobody knows. @param done - 'moved' or 'back' */
function tellOfFailures(failed: readonly Failed[], done: string, mostReasons?: number): void {
  const tell = (some: readonly Failed[], title: string): void => {
    if (some.length > 0)
      notify.error(title, [...new Set(some.map(([, reason]) => reason))].slice(0, mostReasons).join(' '));
  };
  const rejected = failed.filter(([problem]) => !isUnknown(problem));
  tell(rejected, `${are(rejected.length)} not ${done}`);
  const lost = failed.filter(([problem]) => isUnknown(problem));
  tell(lost, `We couldn’t confirm ${count(lost.length)}`);
}

/**
 * Takes changes back, as many at once as one call takes: one may go back to the time of another. If that is rejected, each
 * that can be, and names the others.
 */
async function takeBack<Done extends Named>(
  changed: readonly Done[],
  undo: (done: readonly Done[]) => Promise<unknown>,
): Promise<void> {
  const send = async (some: readonly Done[]): Promise<ApiProblem | undefined> => {
    try {
      await undo(some);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      return error;
    }
  };
  const failed: Failed[] = [];
  for (let from = 0; from < changed.length; from += seriesLimits.appointments) {
    const some = changed.slice(from, from + seriesLimits.appointments);
    const together = await send(some);
    if (together === undefined) continue;
    for (const one of some) {
      // If nobody knows whether they are back, they may be.
      const problem = some.length === 1 || isUnknown(together) ? together : await send([one]);
      if (problem) failed.push([problem, `${one.patientname}: ${reasonsOf(problem)}`]);
    }
  }
  const back = changed.length - failed.length;
  if (back > 0) notify.success(`${are(back)} back`);
  tellOfFailures(failed, 'back');
}
