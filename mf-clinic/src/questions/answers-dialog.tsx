import { clinicMoment, formatDate, formatTime, useCall, useConfig } from '@clinic/app-kit';
import { Button, Dialog, EmptyState, Spinner } from '@clinic/ui';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';
import { LoadError } from '../load-error.tsx';
import './calls.ts';
import { GivenAnswers } from './given-answers.tsx';

/** What the patient answered before the visit, for its doctor and admins. */
export function AnswersDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { clinicTimeZone } = useConfig();
  const answer = useCall('getVisitQuestions', { params: { id: appointment._id } }, { staleTime: 0 });
  const { data } = answer;
  const at = data?.answeredAt === undefined ? undefined : clinicMoment(new Date(data.answeredAt), clinicTimeZone);
  return (
    <Dialog
      open
      title={`Answers: ${nameOfAppointment(appointment)}`}
      onClose={onClose}
      actions={
        at && (
          <Button variant="secondary" icon="clipboard" onClick={() => print()}>
            Print
          </Button>
        )
      }
    >
      {answer.isPending && <Spinner />}
      <LoadError title="Error loading the answers" answer={answer} />
      {data && !at && <EmptyState icon="clipboard" title="Nothing is answered yet" />}
      {data && at && (
        <div data-print className="grid gap-4">
          <h2 className="hidden font-bold print:block">
            {data.patientname}, {formatDate(data.date)} at {formatTime(data.time)}, {data.doctorname}
          </h2>
          <GivenAnswers questions={data.questions} answers={data.answers} />
          <p className="text-sm text-muted">
            Answered on {formatDate(at.date)} at {formatTime(at.time)}
          </p>
        </div>
      )}
    </Dialog>
  );
}
