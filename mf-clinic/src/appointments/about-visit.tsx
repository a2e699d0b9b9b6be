import type { AboutVisit } from '@clinic/svc-clinic/contract/patient';

/** How staff read what a visit is about. The compiler asks for every field. */
const labels: { readonly [Field in keyof AboutVisit]-?: string } = { reason: 'Reason' };

/** What a visit is about, as far as it was said and the reader may know it: label and text of each. */
export function linesAbout(visit: AboutVisit): readonly (readonly [label: string, text: string])[] {
  return (Object.keys(labels) as (keyof AboutVisit)[]).flatMap((field) => {
    const text = visit[field];
    return text ? [[labels[field], text] as const] : [];
  });
}

/** {@link linesAbout}, one below the other. */
export function AboutVisitLines({ visit }: { readonly visit: AboutVisit }) {
  return linesAbout(visit).map(([label, text]) => (
    <span key={label} className="block text-sm font-normal wrap-anywhere text-muted">
      {label}: {text}
    </span>
  ));
}
