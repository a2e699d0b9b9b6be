import { formatTime, Link } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Avatar, ButtonLink, Card, EmailLink, Icon, StatusBadge, type IconName } from '@clinic/ui';
import type { ReactNode } from 'react';
import { specialtyOf } from './directory-filter.ts';
import { dayName, hasFreeTime, nextFreeText } from './next-free-text.ts';

/** Times shown on a card before '+N more'. */
const shownTimes = 3;

/** A doctor in the directory and on the home page. */
export function DoctorCard({ doctor }: { readonly doctor: Doctor }) {
  const { name, email, qualification, education, experience, location, image, isAvailable } = doctor;
  const today = useClinicToday();
  return (
    <Card as="article" lively className="flex flex-col gap-5 p-5!">
      <div className="flex gap-4">
        <div className="size-24 flex-none overflow-hidden rounded-2xl sm:size-28">
          <Avatar portrait name={name} src={image} />
        </div>
        <div className="min-w-0 self-center">
          {/* Nobody is available without a free time; the line below says why. */}
          {hasFreeTime(doctor, today) && (
            <p className="mb-1.5">
              <StatusBadge status="Available" />
            </p>
          )}
          <h3 className="text-heading font-semibold wrap-anywhere">{name}</h3>
          <p className="font-medium text-primary wrap-anywhere">{specialtyOf(doctor)}</p>
        </div>
      </div>
      <ul className="grid gap-2 text-sm">
        <Fact icon="award" name="Qualification">
          {qualification}
        </Fact>
        <Fact icon="graduation" name="Education">
          {education}
        </Fact>
        <Fact icon="activity" name="Experience">
          {experience} {experience === 1 ? 'year' : 'years'} of experience
        </Fact>
        <Fact icon="pin" name="Location">
          {location}
        </Fact>
        <Fact icon="mail" name="Email">
          {email && <EmailLink email={email} className="underline decoration-line hover:decoration-current" />}
        </Fact>
      </ul>
      <div className="mt-auto grid gap-4">
        <FreeTimes doctor={doctor} today={today} />
        {isAvailable ? (
          <ButtonLink
            component={Link}
            to={`/appoinment/${doctor._id}`}
            icon="calendar"
            block
            aria-label={`Book Appointment with ${name}`}
          >
            Book Appointment
          </ButtonLink>
        ) : (
          <ButtonLink
            component={Link}
            to={`/ourDoctors?specialty=${encodeURIComponent(specialtyOf(doctor))}&sort=soonest`}
            variant="soft"
            iconAfter="arrow-right"
            block
            aria-label={`See colleagues of ${name}`}
          >
            See colleagues
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

function Fact({
  icon,
  name,
  children,
}: {
  readonly icon: IconName;
  readonly name: string;
  readonly children: ReactNode;
}) {
  if (!children) return null;
  return (
    <li className="flex items-start gap-2.5">
      <Icon name={icon} size={18} className="mt-1 flex-none text-muted" />
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{name}: </span>
        {children}
      </span>
    </li>
  );
}

function FreeTimes({ doctor, today }: { readonly doctor: Doctor; readonly today: string }) {
  const { nextFree, nextFreeTimes = [], availableTimes, isAvailable } = doctor;
  const bookable = nextFree && hasFreeTime(doctor, today) && nextFreeTimes.length > 0;
  return (
    <div className="grid content-start gap-2.5 border-t border-line pt-4 sm:min-h-20">
      <p className={`flex items-start gap-2.5 text-sm ${nextFree ? 'font-semibold' : 'text-muted'}`}>
        <Icon name="clock" size={18} className="mt-1 flex-none text-primary" />
        {nextFreeText(doctor, today)}
      </p>
      {bookable ? (
        <SlotLinks doctor={doctor} date={nextFree.date} times={nextFreeTimes} today={today} />
      ) : (
        isAvailable && availableTimes.length > 0 && <Times times={availableTimes} />
      )}
      {isAvailable && !nextFree && availableTimes.length > 0 && (
        <Link
          to={`/appoinment/${doctor._id}?wait`}
          className="inline-grid min-h-9 content-center justify-self-start text-sm font-semibold text-primary hover:underline"
        >
          Tell me when a time becomes free<span className="sr-only">: {doctor.name}</span>
        </Link>
      )}
    </div>
  );
}

interface SlotLinksProps {
  readonly doctor: Doctor;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  /** Free times of that day, 'HH:mm'. */
  readonly times: readonly string[];
  readonly today: string;
}

const chip = 'inline-grid min-h-9 content-center rounded-lg px-2.5 tabular-nums';

/** The day's free times, each a link to the booking form with that time chosen. */
function SlotLinks({ doctor: { _id, name }, date, times, today }: SlotLinksProps) {
  const more = times.length - shownTimes;
  const day = dayName(date, today);
  return (
    <ul aria-label="Available times" className="flex flex-wrap items-center gap-1.5 text-sm font-semibold sm:gap-2">
      {times.slice(0, shownTimes).map((time) => (
        <li key={time}>
          <Link
            to={`/appoinment/${_id}?date=${date}&time=${time}`}
            className={`${chip} bg-tint text-primary hover:bg-primary hover:text-primary-content`}
            aria-label={`${formatTime(time)} ${day}, book with ${name}`}
          >
            {formatTime(time)}
          </Link>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link
            to={`/appoinment/${_id}?date=${date}`}
            className={`${chip} px-1! font-medium text-muted underline decoration-line underline-offset-4 hover:decoration-current`}
            aria-label={`+${more} more times ${day} with ${name}`}
          >
            +{more} more
          </Link>
        </li>
      )}
    </ul>
  );
}

/** The times at which a doctor sees patients, if none of them is free. */
function Times({ times }: { readonly times: readonly string[] }) {
  const more = times.length - shownTimes;
  return (
    <ul aria-label="Available times" className="flex flex-wrap gap-1.5 text-xs font-medium text-muted sm:gap-2">
      {times.slice(0, shownTimes).map((time) => (
        <li key={time} className="rounded-lg border border-line px-2 py-1 tabular-nums">
          {formatTime(time)}
        </li>
      ))}
      {more > 0 && <li className="py-1 ps-0.5">+{more} more</li>}
    </ul>
  );
}
