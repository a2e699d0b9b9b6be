import { formatDate } from '@clinic/app-kit';
import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { Alert, Button, Dialog, EmailLink } from '@clinic/ui';
import { Details } from '@clinic/ui/tables';
import { linesAbout } from '../appointments/about-visit.tsx';
import { knownEmail, shownAge } from '../appointments/known-details.ts';
import { MovedFrom } from '../appointments/moved-from.tsx';
import {
  AnswersButton,
  CorrectButton,
  DeletePatientButton,
  FollowingButton,
  FollowUpButton,
  HistoryButton,
} from '../dialogs/dialog-buttons.tsx';
import { StatusOfAppointment } from '../appointments/status-of-appointment.tsx';
import { phoneLink } from '../phone-link.ts';
import { shownSpan } from './grid-layout.ts';

interface AppointmentDialogProps {
  readonly appointment: CalendarAppointment;
  readonly movable: boolean;
  readonly onMove: () => void;
  readonly onClose: () => void;
}

/** An appointment's details, with what can be done about it. */
export function AppointmentDialog({ appointment, movable, onMove, onClose }: AppointmentDialogProps) {
  const { patientname, doctorname, date, time, ends, number, address, outside, series } = appointment;
  const email = knownEmail(appointment);
  return (
    <Dialog
      open
      title={patientname}
      onClose={onClose}
      actions={
        <>
          <FollowUpButton appointment={appointment} />
          <FollowingButton appointment={appointment} />
          <AnswersButton appointment={appointment} />
          <CorrectButton appointment={appointment} />
          <HistoryButton appointment={appointment} />
          <DeletePatientButton appointment={appointment} />
          {movable && (
            <Button icon="calendar" onClick={onMove}>
              Move
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        {outside && (
          <Alert kind="warning">This is outside the doctor’s hours. Move it, or decide about it under the hours.</Alert>
        )}
        <Details
          items={[
            ['When', `${formatDate(date)}, ${shownSpan(time, ends)}`],
            ...(series ? ([['Series', `${series.number} of ${series.of}`]] as const) : []),
            ['Doctor', doctorname],
            ['Status', <StatusOfAppointment key="status" appointment={appointment} />],
            ...linesAbout(appointment),
            ...(appointment.answeredAt === undefined ? [] : ([['Questions', 'Answered']] as const)),
            ['Age', shownAge(appointment)],
            [
              'Phone',
              number === '' ? (
                '–'
              ) : (
                <a key="phone" className="hover:underline" href={phoneLink(number)}>
                  {number}
                </a>
              ),
            ],
            ['Email', email === undefined ? 'None' : <EmailLink key="email" email={email} />],
            ['Address', address || '–'],
          ]}
        />
        <MovedFrom appointment={appointment} />
      </div>
    </Dialog>
  );
}
