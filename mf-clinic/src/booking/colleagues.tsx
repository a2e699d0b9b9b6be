import { formatDate, formatTime, Link, useCall } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Avatar, ButtonLink } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';

/** Colleagues shown in place of a doctor who can't be booked. */
const shown = 3;

/** The soonest free doctors of the same specialty, each with a link that books. */
export function Colleagues({ doctor }: { readonly doctor: Doctor }) {
  const { data, isPending } = useCall('listDoctors', {
    query: { specialty: doctor.specialty, sort: 'soonest', limit: shown + 1 },
  });
  if (isPending) return <Loading className="mt-4 h-40" />;
  const others = (Array.isArray(data) ? data : []).filter(({ _id, nextFree }) => _id !== doctor._id && nextFree);
  if (others.length === 0) return <p className="mt-2 text-muted">Choose another doctor.</p>;
  return (
    <>
      <p className="mt-2 text-muted">These colleagues can see you soonest.</p>
      <ul className="mt-4 grid gap-3" aria-label={`Colleagues of ${doctor.name}`}>
        {others.slice(0, shown).map(({ _id, name, image, specialty, nextFree }) => (
          <li key={_id} className="flex flex-wrap items-center gap-4 rounded-xl border border-line p-3">
            <span className="size-14 flex-none overflow-hidden rounded-xl">
              <Avatar portrait name={name} src={image} />
            </span>
            <span className="min-w-40 grow">
              <strong className="block font-semibold">{name}</strong>
              <span className="block text-sm text-muted">{specialty}</span>
            </span>
            {nextFree && (
              <ButtonLink
                component={Link}
                size="sm"
                icon="calendar"
                to={`/appoinment/${_id}?date=${nextFree.date}&time=${nextFree.time}`}
                aria-label={`${formatDate(nextFree.date)} at ${formatTime(nextFree.time)}, book with ${name}`}
              >
                {formatDate(nextFree.date)} at {formatTime(nextFree.time)}
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
