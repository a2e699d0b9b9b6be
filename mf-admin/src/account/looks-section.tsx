import { api, useConfig, useQuery, type ApiProblem } from '@clinic/app-kit';
import type { Look, ServiceName } from '@clinic/contracts';
import { Alert, Button } from '@clinic/ui';
import { useState } from 'react';
import { inWords } from './instants.ts';
import { Section } from './section.tsx';

/** Each service's call that lists access by staff, and the kind of records in words. */
const parts = [
  {
    service: 'identity',
    name: 'your account',
    ask: (email: string, limit: number, signal: AbortSignal) =>
      api.page('listIdentityLooks', { params: { email }, query: { limit }, signal }),
  },
  {
    service: 'clinic',
    name: 'your appointments',
    ask: (email: string, limit: number, signal: AbortSignal) =>
      api.page('listClinicLooks', { query: { email, limit }, signal }),
  },
  {
    service: 'pharmacy',
    name: 'your orders',
    ask: (email: string, limit: number, signal: AbortSignal) =>
      api.page('listPharmacyLooks', { query: { email, limit }, signal }),
  },
] as const satisfies readonly { readonly service: ServiceName; readonly name: string; readonly ask: unknown }[];

type Part = (typeof parts)[number];

/** Rows shown at first, and added by each press. */
const step = 10;
/** Most rows per response. */
const most = 200;

/** Which staff opened, searched or exported the person's records: one line per person, hour and kind. */
export function LooksSection({ email }: { readonly email: string }) {
  const { clinicTimeZone } = useConfig();
  const [count, setCount] = useState(step);
  const [identity, clinic, pharmacy] = [
    useLooks(parts[0], email, count),
    useLooks(parts[1], email, count),
    useLooks(parts[2], email, count),
  ];
  const all = [identity, clinic, pharmacy];
  const rows = all.flatMap(({ rows: own }) => own).toSorted((a, b) => b.at.localeCompare(a.at));
  const shown = rows.slice(0, count);
  const loading = all.some((one) => one.loading);
  const away = all.filter(({ error }) => error);
  const more = rows.length > shown.length || all.some((one) => one.more);
  return (
    <Section
      id="looks"
      title="Who viewed my records"
      text="We make a note when someone who works here opens your records, at most once an hour."
    >
      {away.map(({ part, retry }) => (
        <Alert
          key={part.service}
          kind="warning"
          title={`We can’t show who viewed ${part.name} right now`}
          actions={
            <Button size="sm" variant="secondary" icon="refresh" onClick={retry}>
              Retry
            </Button>
          }
        >
          The others are below.
        </Alert>
      ))}
      {loading && rows.length === 0 && <p className="text-muted">Loading...</p>}
      {!loading && rows.length === 0 && away.length === 0 && <p>No one has viewed your records yet.</p>}
      {shown.length > 0 && (
        <ul aria-label="Who viewed them" className="divide-y divide-line">
          {shown.map((look) => (
            <li key={look._id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0">
              <span>{lookInWords(look)}</span>
              <time dateTime={look.at} className="text-sm text-muted">
                {inWords(look.at, clinicTimeZone)}
              </time>
            </li>
          ))}
        </ul>
      )}
      {more && count < most && (
        <div>
          <Button size="sm" variant="soft" busy={loading} onClick={() => setCount(count + step)}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  );
}

function useLooks(part: Part, email: string, count: number) {
  const { data, error, isPending, refetch } = useQuery<
    { readonly rows: readonly Look[]; readonly next: string | undefined },
    ApiProblem
  >({
    queryKey: ['looks', part.service, email, count],
    queryFn: ({ signal }) => part.ask(email, Math.min(count, most), signal),
    placeholderData: (before) => before,
  });
  return {
    part,
    rows: data?.rows ?? [],
    more: data?.next !== undefined,
    error: data ? null : error,
    loading: isPending,
    retry: () => void refetch(),
  };
}

const verbs: Readonly<Record<Look['how'], string>> = {
  opened: 'opened',
  searched: 'searched for',
  exported: 'downloaded a copy of',
};

/** E.g. `A doctor opened your appointments`. */
export function lookInWords({ by, what, how }: Pick<Look, 'by' | 'what' | 'how'>): string {
  return `${by.role === 'admin' ? 'An admin' : `A ${by.role}`} ${verbs[how]} your ${what}`;
}
