import { api, formatDate, formatTime, notify, useQuery, type ApiProblem } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { VisitQuestions } from '@clinic/svc-clinic/contract/question-calls';
import { useEffect } from 'react';
import './calls.ts';
import { GivenAnswers } from './given-answers.tsx';

interface PrintedAnswersProps {
  /** Those whose answers the reader may read: the service refuses others. */
  readonly visits: readonly Appointment[];
  /** It is printed, or couldn’t be. */
  readonly onDone: () => void;
}

/** Prints the page, with the answers that were given before its visits; they are on paper only. */
export function PrintedAnswers({ visits, onDone }: PrintedAnswersProps) {
  const ids = visits.map(({ _id }) => _id);
  const { data, error } = useQuery<readonly VisitQuestions[], ApiProblem>({
    queryKey: ['getVisitQuestions', 'printed', ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => api.call('getVisitQuestions', { params: { id }, signal }))),
    staleTime: 0,
    gcTime: 0,
  });
  const ready = data !== undefined;
  useEffect(() => {
    if (!ready) return undefined;
    addEventListener('afterprint', onDone);
    print();
    return () => removeEventListener('afterprint', onDone);
  }, [ready, onDone]);
  useEffect(() => {
    if (!error) return;
    notify.error('Nothing was printed', `The answers couldn’t be loaded. ${error.message}`);
    onDone();
  }, [error, onDone]);
  if (!data?.length) return null;
  return (
    <section aria-label="Answers before the visits" className="hidden gap-6 break-before-page print:grid">
      {data.map((visit, index) => (
        <article key={ids[index]} className="grid break-inside-avoid gap-2">
          <h2 className="font-bold">
            {visit.patientname}, {formatDate(visit.date)} at {formatTime(visit.time)}, {visit.doctorname}
          </h2>
          <GivenAnswers {...visit} />
        </article>
      ))}
    </section>
  );
}
