import { knownLabel } from '@clinic/contracts/known-words';
import { definePage, formatDate, formatTime, Link, useCall, useSession } from '@clinic/app-kit';
import { useChange, useListState, useLiveLists, usePagedCall, type PagedCall } from '@clinic/app-kit/records';
import { waitlistParts } from '@clinic/svc-clinic/contract/limits';
import { waitlistLists } from '@clinic/svc-clinic/contract/lists';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { WaitlistEntry, WaitlistOffer } from '@clinic/svc-clinic/contract/waitlist-calls';
import {
  Button,
  ButtonLink,
  Card,
  EmptyState,
  ErrorState,
  FilterBar,
  PageHeader,
  Pagination,
  SearchField,
  StatusBadge,
} from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState, type ReactNode } from 'react';
import { useDesk } from '../desk/use-desk.ts';
import { partLabels, whatFor } from './calls.ts';
import { LoadError } from '../load-error.tsx';
import { ClinicZone } from '../slots/clinic-zone.tsx';
import '../setup.ts';

/** Whether a section that nobody misses can be left out. */
const isNothing = ({ rows, error, hasPrevious }: PagedCall<unknown>): boolean =>
  rows.length === 0 && !error && !hasPrevious;

const isActive = ({ status }: WaitlistEntry): boolean => status === 'waiting' || status === 'offered';

/**
 * Waitlist (`/dash/waitlist`): the signed-in person's places and offers; for doctors also who waits for them, for admins everybody.
 */
export function WaitlistPage() {
  const { role } = useSession();
  const desk = useDesk();
  useLiveLists('watchAppointments', waitlistLists);
  return (
    <>
      <PageHeader
        title="Waitlist"
        description={
          desk
            ? 'Who waits for a free time, and who has waited.'
            : 'When a time becomes free, we hold it for you and show it on every page.'
        }
      />
      <div className="grid gap-6">
        <ClinicZone />
        {role === 'doctor' && <WaitingForMe />}
        {desk ? <Everyone /> : <Places />}
        {role !== 'admin' && <Offers />}
      </div>
    </>
  );
}

const howPatientsJoin = 'Patients join from a doctor’s booking page, or from an appointment.';

/** Who waits for the signed-in doctor, first come first. */
function WaitingForMe() {
  const email = useSession().user?.email ?? '';
  const profiles = useCall('getProfiles', { params: { email } }, { enabled: email !== '' });
  if (profiles.error && !profiles.data)
    return (
      <Card>
        <LoadError title="Error loading profile" answer={profiles} />
      </Card>
    );
  return profiles.data?.map((doctor) => <WaitingFor key={doctor._id} doctor={doctor} />);
}

function WaitingFor({ doctor }: { readonly doctor: Doctor }) {
  const list = usePagedCall('listWaitingForDoctor', {}, { params: { id: doctor._id }, name: `for-${doctor._id}` });
  return (
    <Section title="Patients on your waitlist" list={list} empty="Nobody’s on your waitlist." hint={howPatientsJoin}>
      {list.rows.map((entry) => (
        <Place key={entry._id} entry={entry} named />
      ))}
    </Section>
  );
}

/** Everybody's places, with a search. */
function Everyone() {
  const list = useListState();
  return (
    <>
      <FilterBar label="Filter the waitlist">
        <SearchField
          label="Search the waitlist"
          placeholder="Name, email or phone"
          value={list.text}
          onChange={(text) => {
            list.setText(text);
            // Another search has other pages of both lists.
            if (list.get(earlier)) list.set(earlier, '');
          }}
        />
      </FilterBar>
      <Places
        everyone
        q={list.q}
        showAll={
          <Button variant="soft" onClick={list.clear}>
            Show everybody
          </Button>
        }
      />
    </>
  );
}

/** The address's parameter for the page of earlier places. */
const earlier = 'earlier';

interface PlacesProps {
  /** The search; empty: all. */
  readonly q?: string;
  readonly everyone?: boolean;
  /** Ends the search. */
  readonly showAll?: ReactNode;
}

function Places({ everyone = false, q = '', showAll }: PlacesProps) {
  const email = useSession().user?.email ?? '';
  const whose = everyone ? { q: q || undefined } : { email };
  const active = usePagedCall('listWaitlist', { ...whose, open: 'true', sort: 'joined' });
  const ended = usePagedCall('listWaitlist', { ...whose, open: 'false' }, { name: earlier });
  const join = (
    <ButtonLink component={Link} to="/ourDoctors" variant="soft">
      Choose a doctor
    </ButtonLink>
  );
  return (
    <>
      <Section
        title={everyone ? 'Waiting' : 'You’re waiting for'}
        list={active}
        {...(q
          ? { empty: 'Nobody who’s waiting matches', hint: 'Try another name, email or phone number.', action: showAll }
          : {
              empty: everyone ? 'Nobody’s waiting.' : 'You aren’t on a waitlist.',
              hint: everyone
                ? `${howPatientsJoin} You can add them, too.`
                : 'Join from a doctor’s booking page, or from an appointment.',
              action: join,
            })}
      >
        {active.rows.map((entry) => (
          <Place key={entry._id} entry={entry} named={everyone} />
        ))}
      </Section>
      {!isNothing(ended) && (
        <Section title="Earlier" list={ended} empty="">
          {ended.rows.map((entry) => (
            <Place key={entry._id} entry={entry} named={everyone} />
          ))}
        </Section>
      )}
    </>
  );
}

function Offers() {
  const email = useSession().user?.email ?? '';
  const list = usePagedCall('listOffers', { email, open: 'false' }, { enabled: email !== '', name: 'offers' });
  if (isNothing(list)) return null;
  return (
    <Section title="Times you were offered" list={list} empty="">
      {list.rows.map((offer) => (
        <li key={offer._id} className="flex flex-wrap items-center justify-between gap-2 border-t border-line py-3">
          <span className="min-w-0 wrap-anywhere">
            <strong className="font-semibold">{offer.doctorname}</strong>{' '}
            <span className="block text-muted">
              {formatDate(offer.date)} at {formatTime(offer.time)}
            </span>
          </span>
          <StatusBadge
            status={knownLabel(offerLabels, offer.status)}
            tone={offer.status === 'accepted' ? 'green' : 'grey'}
          />
        </li>
      ))}
    </Section>
  );
}

const offerLabels: Readonly<Record<WaitlistOffer['status'], string>> = {
  open: 'Open',
  accepted: 'Accepted',
  declined: 'Declined',
  missed: 'Missed',
  withdrawn: 'No longer available',
};

const placeLabels: Readonly<Record<WaitlistEntry['status'], string>> = {
  waiting: 'Waiting',
  offered: 'A time is offered',
  booked: 'Booked',
  left: 'Left',
  ended: 'Ended',
};

function Place({ entry, named = false }: { readonly entry: WaitlistEntry; readonly named?: boolean }) {
  const [leaving, setLeaving] = useState(false);
  const leave = useChange('leaveWaitlist', { invalidates: waitlistLists, success: 'Taken off the waitlist' });
  const { from, until, parts, status, patientname, appointment, afterOffers } = entry;
  const name = named ? `${patientname}: ${whatFor(entry)}` : whatFor(entry);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3">
      <span className="min-w-0 wrap-anywhere">
        <strong className="font-semibold">{name}</strong>{' '}
        <span className="block text-sm text-muted">
          {from === until ? formatDate(from) : `${formatDate(from)} to ${formatDate(until)}`}
          {appointment && `, earlier than ${formatDate(appointment.date)} at ${formatTime(appointment.time)}`}
        </span>{' '}
        <span className="block text-sm text-muted">
          {parts.length === waitlistParts.length
            ? 'Any time of day'
            : parts.map((part) => knownLabel(partLabels, part)).join(', ')}
        </span>
        {afterOffers && status === 'ended' && (
          <span className="block text-sm text-muted">Ended because the offered times weren’t taken</span>
        )}
      </span>
      <span className="flex items-center gap-2">
        <StatusBadge
          status={knownLabel(placeLabels, status)}
          tone={status === 'booked' || status === 'offered' ? 'green' : status === 'waiting' ? 'yellow' : 'grey'}
        />
        {isActive(entry) && (
          <Button size="sm" variant="secondary" busy={leave.isPending} onClick={() => setLeaving(true)}>
            {named ? 'Remove' : 'Leave'}
            <span className="sr-only">: {name}</span>
          </Button>
        )}
      </span>
      <ConfirmDialog
        open={leaving}
        title={named ? 'Take this patient off the waitlist?' : 'Leave this waitlist?'}
        confirmLabel={named ? 'Remove' : 'Leave the waitlist'}
        cancelLabel="Keep the place"
        onConfirm={() => {
          setLeaving(false);
          leave.mutate({ params: { id: entry._id } });
        }}
        onCancel={() => setLeaving(false)}
      >
        {name}. Whoever joins again starts at the end of the line.
      </ConfirmDialog>
    </li>
  );
}

interface SectionProps {
  readonly title: string;
  readonly list: PagedCall<unknown>;
  readonly empty: string;
  /** How somebody gets on an empty list. */
  readonly hint?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** One page of a list, with the buttons to its other pages. */
function Section({ title, list, empty, hint, action, children }: SectionProps) {
  return (
    <Card as="section" aria-label={title}>
      <h2 className="mb-2 text-heading font-bold">{title}</h2>
      {list.error ? (
        <ErrorState title="Error loading the waitlist" text={list.error.message} onRetry={list.retry} />
      ) : list.loading ? (
        <Loading className="h-24" />
      ) : list.rows.length === 0 ? (
        <EmptyState icon="clock" title={empty} text={hint} action={action} />
      ) : (
        <ul>{children}</ul>
      )}
      <Pagination
        label={title}
        from={list.from}
        count={list.rows.length}
        total={list.total}
        hasPrevious={list.hasPrevious}
        hasNext={list.hasNext}
        onPrevious={list.previous}
        onNext={list.next}
        busy={list.refreshing}
      />
    </Card>
  );
}

export default definePage({ Component: WaitlistPage });
