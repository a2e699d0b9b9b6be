import { formatTime, Link } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Doctor } from '@clinic/contracts';
import { Avatar, ButtonLink, Card, EmailLink, Icon, StatusBadge, type IconName } from '@clinic/ui';
import type { ReactNode } from 'react';
import { specialtyOf } from './filter-doctors.ts';
import { nextFreeText } from './next-free-text.ts';

/** Times shown on a card before '+N more'. */
const shownTimes = 3;

/** A doctor in the directory and on the home page. */
export function DoctorCard({
  doctor,
  headingLevel: Heading = 'h3',
}: {
  readonly doctor: Doctor;
  readonly headingLevel?: 'h2' | 'h3';
}) {
  const { name, email, qualification, education, experience, location, image, isAvailable, availableTimes } = doctor;
  return (
    <Card as="article" lively className="flex flex-col gap-5 p-5!">
      <div className="flex gap-4">
        <div className="size-24 flex-none overflow-hidden rounded-2xl sm:size-28">
          <Avatar portrait name={name} src={image} />
        </div>
        <div className="min-w-0 self-center">
          {isAvailable && (
            <p className="mb-1.5">
              <StatusBadge status="Available" />
            </p>
          )}
          <Heading className="text-heading font-semibold wrap-anywhere">{name}</Heading>
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
        <div className="grid content-start gap-2.5 border-t border-line pt-4 sm:min-h-20">
          <NextFree doctor={doctor} />
          {availableTimes.length > 0 && <Times times={availableTimes} />}
        </div>
        <ButtonLink
          component={Link}
          to={`/appoinment/${doctor._id}`}
          icon="calendar"
          block
          aria-label={`Book Appointment with ${name}`}
        >
          Book Appointment
        </ButtonLink>
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

function NextFree({ doctor }: { readonly doctor: Doctor }) {
  const today = useClinicToday();
  return (
    <p className={`flex items-start gap-2.5 text-sm ${doctor.nextFree ? 'font-semibold' : 'text-muted'}`}>
      <Icon name="clock" size={18} className="mt-1 flex-none text-primary" />
      {nextFreeText(doctor, today)}
    </p>
  );
}

function Times({ times }: { readonly times: readonly string[] }) {
  const more = times.length - shownTimes;
  return (
    <ul aria-label="Available times" className="flex flex-wrap gap-1.5 text-xs font-medium sm:gap-2">
      {times.slice(0, shownTimes).map((time) => (
        <li key={time} className="rounded-lg bg-tint px-2 py-1 tabular-nums sm:px-2.5">
          {formatTime(time)}
        </li>
      ))}
      {more > 0 && <li className="py-1 ps-0.5 text-muted">+{more} more</li>}
    </ul>
  );
}
