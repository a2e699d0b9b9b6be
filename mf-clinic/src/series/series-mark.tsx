import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

/** An appointment's place in its series: '2 of 8'. */
export function SeriesMark({ appointment: { series } }: { readonly appointment: Pick<Appointment, 'series'> }) {
  if (!series) return null;
  return (
    <span className="block text-sm whitespace-nowrap text-muted">
      <span className="sr-only">Appointment </span>
      {series.number} of {series.of}
    </span>
  );
}
