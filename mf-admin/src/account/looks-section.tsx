import { useConfig } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import { useState } from 'react';
import { inWords } from '../instants.tsx';
import { lookInWords, mostLooks, useLooks } from '../looks/use-looks.ts';
import { MissingPart } from '../missing-part.tsx';
import { Section } from './section.tsx';

/** Rows shown at first, and added by each press. */
const step = 10;

/** Which staff opened, searched or exported the person's records: one line per person, hour and kind. */
export function LooksSection({ email }: { readonly email: string }) {
  const { clinicTimeZone } = useConfig();
  const [count, setCount] = useState(step);
  const { rows, loading, unavailable, more } = useLooks(email, count);
  return (
    <Section
      id="looks"
      title="Who viewed my records"
      text="We make a note when someone who works here opens your records, at most once an hour."
    >
      {unavailable.map(({ service, name, retry }) => (
        <MissingPart key={service} title={`We can’t show who viewed your ${name} right now`} onRetry={retry}>
          The others are below.
        </MissingPart>
      ))}
      {loading && rows.length === 0 && <p className="text-muted">Loading...</p>}
      {!loading && rows.length === 0 && unavailable.length === 0 && <p>No one has viewed your records yet.</p>}
      {rows.length > 0 && (
        <ul aria-label="Who viewed them" className="divide-y divide-line">
          {rows.map((look) => (
            <li key={look._id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0">
              <span>{lookInWords(look)}</span>
              <time dateTime={look.at} className="text-sm text-muted">
                {inWords(look.at, clinicTimeZone)}
              </time>
            </li>
          ))}
        </ul>
      )}
      {more && count < mostLooks && (
        <div>
          <Button size="sm" variant="soft" busy={loading} onClick={() => setCount(count + step)}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  );
}
