import { formatDate, formatTime, Link } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { Slot } from '@clinic/app-kit/slots';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import { ButtonLink, EmailLink } from '@clinic/ui';
import { actionsColumn } from '@clinic/ui/list-parts';
import { RowMenu, useTableLayout, type Column } from '@clinic/ui/tables';
import { AboutVisitLines } from './about-visit.tsx';
import { CalendarButton } from '../calendar/calendar-button.tsx';
import { phoneLink } from '../phone-link.ts';
import { BookAgainButton } from '../dialogs/book-again-button.tsx';
import {
  AnswersButton,
  CancelButton,
  CorrectButton,
  DeletePatientButton,
  EarlierButton,
  FollowingButton,
  FollowUpButton,
  HistoryButton,
  RescheduleButton,
} from '../dialogs/dialog-buttons.tsx';
import { questionsPath } from '../questions/questions-path.ts';
import { Choosable } from '../several/choose-several.tsx';
import { SeriesMark } from '../series/series-mark.tsx';
import { actAsPatient, isOver, useActors } from './may-change.ts';
import { nameOfAppointment } from './name-of-appointment.ts';
import { shownAge } from './known-details.ts';
import { MovedFrom } from './moved-from.tsx';
import { StatusOfAppointment, StatusToRead } from './status-of-appointment.tsx';

/** The columns of the appointment lists; each screen picks the ones it needs. */
export const columns = {
  patient: {
    key: 'patient',
    header: 'Patient',
    cell: (one) => (
      <Choosable appointment={one}>
        <Person name={one.patientname} email={one.patientemail} />
        <OwnDoctor appointment={one} />
        <AboutVisitLines visit={one} />
      </Choosable>
    ),
  },
  doctor: {
    key: 'doctor',
    header: 'Doctor',
    foldInto: 'patient',
    cell: (one) => <Person name={one.doctorname} email={one.doctoremail} />,
  },
  when: {
    key: 'when',
    header: 'Date and time',
    cell: (one) => (
      <>
        <time dateTime={`${one.date}T${one.time}`} className="block whitespace-nowrap">
          {formatDate(one.date)} <span className="block">{formatTime(one.time)}</span>
        </time>
        <SeriesMark appointment={one} />
        <MovedFrom appointment={one} />
      </>
    ),
  },
  /** For people who book for themselves and their family: the patient's name. */
  forWhom: {
    key: 'forWhom',
    header: 'Patient',
    foldInto: 'doctor',
    foldLabel: 'For',
    cell: (one) => (
      <>
        <span className="block max-w-60 wrap-break-word">{one.patientname}</span>{' '}
        <span className="block text-sm text-muted">Age {shownAge(one)}</span>
        <AboutVisitLines visit={one} />
      </>
    ),
  },
  age: { key: 'age', header: 'Age', align: 'end', foldInto: 'patient', foldLabel: 'Age', cell: shownAge },
  contact: { key: 'contact', header: 'Contact', foldInto: 'patient', cell: (one) => <Contact appointment={one} /> },
  /** Readers don't need a column for what they wrote themselves. */
  contactOnCard: {
    key: 'contactOnCard',
    header: 'Contact',
    only: 'card',
    cell: (one) => <Contact appointment={one} />,
  },
  status: { key: 'status', header: 'Status', cell: (one) => <StatusOfAppointment appointment={one} /> },
  /** The patient's table shows the status, the card changes it (docs/product.md, Appointments). */
  statusRead: {
    key: 'statusRead',
    header: 'Status',
    only: 'table',
    cell: (one) => <StatusToRead appointment={one} />,
  },
  statusOnCard: {
    key: 'statusOnCard',
    header: 'Status',
    only: 'card',
    cell: (one) => <StatusOfAppointment appointment={one} />,
  },
  more: actionsColumn((one) => <AppointmentActions appointment={one} />),
  /** What a patient can do with their own. */
  own: actionsColumn((one) => <OwnActions appointment={one} />),
} satisfies Record<string, Column<Appointment>>;

/** Makes a column the row header. */
export function primary(column: Column<Appointment>): Column<Appointment> {
  return { ...column, primary: true };
}

/** Actions on any appointment, other than changing its status. */
export function AppointmentActions({ appointment }: { readonly appointment: Appointment }) {
  const onCard = useTableLayout() === 'cards';
  return (
    <RowMenu
      folded
      label={`More actions: ${nameOfAppointment(appointment)}`}
      beside={<RescheduleButton appointment={appointment} first={onCard} />}
    >
      {appointment.status !== 'Cancelled' && <CalendarButton appointment={appointment} />}
      <EarlierButton appointment={appointment} />
      <FollowUpButton appointment={appointment} />
      <FollowingButton appointment={appointment} />
      <AnswersButton appointment={appointment} />
      <CorrectButton appointment={appointment} />
      <HistoryButton appointment={appointment} />
      <PartsOfOthers appointment={appointment} own={false} />
      <DeletePatientButton appointment={appointment} />
    </RowMenu>
  );
}

/** Actions on one's own appointment: an upcoming one can be moved and cancelled, any other booked again. */
function OwnActions({ appointment }: { readonly appointment: Appointment }) {
  const now = useClinicNow();
  const onCard = useTableLayout() === 'cards';
  const coming = appointment.status !== 'Cancelled' && !isOver(appointment, now);
  // The action that people come for stays visible, even where the others fold into the menu.
  const first = coming ? <CancelButton appointment={appointment} /> : <BookAgainButton appointment={appointment} />;
  const move = coming && <RescheduleButton appointment={appointment} first={onCard} />;
  const menu = (
    <RowMenu
      folded
      label={`More actions: ${nameOfAppointment(appointment)}`}
      beside={
        onCard ? (
          <>
            {move}
            {first}
          </>
        ) : (
          move
        )
      }
    >
      {coming && <CalendarButton appointment={appointment} />}
      {coming && <EarlierButton appointment={appointment} />}
      {coming && <FollowingButton appointment={appointment} />}
      {appointment.answeredAt !== undefined && <OwnAnswersLink appointment={appointment} />}
      <HistoryButton appointment={appointment} />
      <PartsOfOthers appointment={appointment} own />
    </RowMenu>
  );
  if (onCard) return menu;
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {first}
      {menu}
    </span>
  );
}

interface PartsOfOthersProps {
  readonly appointment: Appointment;
  /** For the patient, not for staff. */
  readonly own: boolean;
}

/** What the patient answered before the visit, to read and change. */
function OwnAnswersLink({ appointment }: { readonly appointment: Appointment }) {
  return (
    <ButtonLink
      component={Link}
      to={questionsPath(appointment._id)}
      variant="ghost"
      size="sm"
      icon="clipboard"
      aria-label={`My answers: ${nameOfAppointment(appointment)}`}
    >
      My answers
    </ButtonLink>
  );
}

/** What other domains add to an appointment. */
export function PartsOfOthers({ appointment, own }: PartsOfOthersProps) {
  const { _id: id, status } = appointment;
  return <Slot name="appointment" props={{ id, status, own, name: nameOfAppointment(appointment) }} />;
}

/** A doctor's list of patients also has the visits in which they are the patient. */
function OwnDoctor({ appointment }: { readonly appointment: Appointment }) {
  const actors = useActors(appointment);
  return actAsPatient(actors) ? (
    <span className="block text-sm font-normal wrap-anywhere text-muted">With {appointment.doctorname}</span>
  ) : null;
}

function Contact({ appointment: { number, address } }: { readonly appointment: Appointment }) {
  const onCard = useTableLayout() === 'cards';
  return (
    <span className={`grid gap-0.5 ${onCard ? 'justify-items-end' : 'justify-items-start'}`}>
      {/* A deleted patient has no number. */}
      {number === '' ? (
        '–'
      ) : (
        <a className="whitespace-nowrap hover:underline" href={phoneLink(number)}>
          {number}
        </a>
      )}
      <span className={`max-w-60 wrap-break-word text-muted ${onCard ? '' : 'line-clamp-2'}`} title={address}>
        {address}
      </span>
    </span>
  );
}

function Person({ name, email }: { readonly name: string; readonly email: string }) {
  return (
    <span className="block min-w-0">
      <span className="block max-w-60 font-semibold wrap-break-word">{name}</span>
      {!hasNoEmail(email) && <EmailLink email={email} className="text-sm font-normal text-muted" />}
    </span>
  );
}
