import { useConfig } from '@clinic/app-kit';
import type { Look } from '@clinic/contracts';
import { isTypedAddress, typedAddress } from '@clinic/contracts/typed-address';
import { Button, EmailLink, EmptyState } from '@clinic/ui';
import { DataTable, type Column } from '@clinic/ui/tables';
import { useMemo, useState } from 'react';
import { WhenBelow } from '../instants.tsx';
import { lookAtOthers, mostLooks, useLooks } from '../looks/use-looks.ts';
import { MissingPart } from '../missing-part.tsx';

/** Rows at first, and added by each press. */
const step = 20;

/** Which staff viewed a person's records, by name. @param person - as typed into the filter */
export function LooksList({ person }: { readonly person: string }) {
  // A part of an address would find nothing.
  if (!isTypedAddress(person))
    return (
      <EmptyState
        title="Whose records?"
        text="Enter the person’s full email address, to see who of the staff opened, searched for or downloaded their records."
      />
    );
  const email = typedAddress(person).toLowerCase();
  return <LooksAt key={email} email={email} />;
}

function LooksAt({ email }: { readonly email: string }) {
  const { clinicTimeZone } = useConfig();
  const [count, setCount] = useState(step);
  const { rows, loading, unavailable, more } = useLooks(email, count);
  const columns = useMemo(() => columnsFor(clinicTimeZone), [clinicTimeZone]);
  return (
    <>
      {unavailable.map(({ service, name, retry }) => (
        <div key={service} className="mb-4">
          <MissingPart title={`Missing: who viewed their ${name}`} onRetry={retry}>
            That part of the clinic isn’t available right now.
          </MissingPart>
        </div>
      ))}
      {/* With a part missing, it is unknown whether anybody has. */}
      {(rows.length > 0 || unavailable.length === 0) && (
        <DataTable
          caption="Who viewed their records"
          columns={columns}
          rows={loading && rows.length === 0 ? undefined : rows}
          rowKey={({ _id }) => _id}
          loading={loading && rows.length === 0}
          empty={{
            title: 'No one has viewed their records',
            text: 'We make a note when somebody on the staff opens a person’s records, at most once an hour.',
          }}
        />
      )}
      {more && count < mostLooks && (
        <div className="mt-6 grid justify-items-center">
          <Button variant="secondary" busy={loading} onClick={() => setCount(count + step)}>
            Show older ones
          </Button>
        </div>
      )}
    </>
  );
}

function columnsFor(timeZone: string): readonly Column<Look>[] {
  return [
    {
      key: 'what',
      header: 'What',
      primary: true,
      cell: (look) => (
        <>
          {lookAtOthers(look)}
          <WhenBelow at={look.at} timeZone={timeZone} />
        </>
      ),
    },
    {
      key: 'who',
      header: 'Who',
      cell: ({ by }) => (
        <>
          {by.email !== undefined && <EmailLink email={by.email} />}
          <span className="block text-sm text-muted">{by.role}</span>
        </>
      ),
    },
  ];
}
