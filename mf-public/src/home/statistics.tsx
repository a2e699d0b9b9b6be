import { useCountUp } from './use-count-up.ts';

interface Statistic {
  readonly figure: string;
  readonly label: string;
}

/** Fixed figures from the clinic's advertising. */
const statistics: readonly Statistic[] = [
  { figure: '15,000+', label: 'Patients Treated' },
  { figure: '50+', label: 'Expert Doctors' },
  { figure: '24/7', label: 'Emergency Care' },
  { figure: '98%', label: 'Success Rate' },
];

/** A share of a figure's leading number: '15,000+' at 0.5 is '7,500+'. */
function partOf(figure: string, share: number): string {
  return figure.replace(/^[\d,]+/, (number) =>
    Math.round(Number(number.replaceAll(',', '')) * share).toLocaleString('en'),
  );
}

export function Statistics() {
  const { share, ref } = useCountUp<HTMLDListElement>();
  return (
    <section aria-label="The clinic in numbers" className="bg-strong text-[#f5fbf9]">
      <dl
        ref={ref}
        className="mx-auto grid max-w-page grid-cols-2 gap-x-6 gap-y-10 px-4 py-14 text-center sm:px-6 md:grid-cols-4 md:py-16"
      >
        {statistics.map(({ figure, label }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="mt-1 text-[#cfe6de]">{label}</dt>
            <dd className="text-title font-bold tabular-nums">{partOf(figure, share)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
