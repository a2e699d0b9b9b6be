import { formatDate, formatTime, Link, useCall } from '@clinic/app-kit';
import { useLiveLists } from '@clinic/app-kit/records';
import { ButtonLink, Card, Icon } from '@clinic/ui';
import './calls.ts';
import { questionsPath } from './questions-path.ts';

const lists = ['listOpenQuestions'] as const;

/** The coming visits of the patient before which there are questions; nothing if there are none. */
export function OpenQuestions() {
  const { data } = useCall('listOpenQuestions', {});
  useLiveLists('watchAppointments', lists);
  if (!data?.length) return null;
  return (
    <section aria-labelledby="open-questions" className="mb-6 grid gap-3">
      <h2 id="open-questions" className="text-heading font-bold">
        Questions before your visit
      </h2>
      {data.map(({ _id, doctorname, patientname, date, time, questions }) => (
        <Card key={_id} className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-semibold wrap-anywhere">{doctorname}</p>
            <p className="text-sm text-muted wrap-anywhere">
              {formatDate(date)} at {formatTime(time)}, {patientname}
            </p>
          </div>
          <ButtonLink
            component={Link}
            to={questionsPath(_id)}
            variant="soft"
            icon="clipboard"
            aria-label={`Answer ${counted(questions)}: ${doctorname}, ${formatDate(date)}`}
          >
            Answer {counted(questions)}
          </ButtonLink>
        </Card>
      ))}
    </section>
  );
}

/** After a booking: its questions, now or later. */
export function QuestionsOfNewVisit({ id }: { readonly id: string }) {
  // What was read before the booking doesn’t have it.
  const { data } = useCall('listOpenQuestions', {}, { staleTime: 0 });
  const found = data?.find(({ _id }) => _id === id);
  if (!found) return null;
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-field bg-tint px-4 py-3">
      <Icon name="clipboard" size={18} className="flex-none text-primary" />
      <p className="min-w-0 flex-1 basis-60">
        {found.doctorname} has {counted(found.questions)} for you before the visit. You can also answer later, under My
        Appointments.
      </p>
      <ButtonLink component={Link} to={questionsPath(id)} size="sm">
        Answer now
      </ButtonLink>
    </div>
  );
}

const counted = (questions: number): string => (questions === 1 ? '1 question' : `${questions} questions`);
