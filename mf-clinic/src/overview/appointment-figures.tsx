import { addCalls, useCall, type SlotProps } from '@clinic/app-kit';
import { recordsCalls } from '@clinic/svc-clinic/contract/records-calls';
import type { AppointmentReport } from '@clinic/svc-clinic/contract/reports';
import { addUp, bucketsOf, ChartPanel, Figures, grainOf, RankChart, type Figure, type Series } from '@clinic/ui/charts';
import { ReportSection } from '@clinic/ui/report-section';
import { TimeChart } from '@clinic/ui/time-chart';

addCalls({ reportAppointments: recordsCalls.reportAppointments });

/** In one colour in every chart. */
const cancelled: Series = { key: 'cancelled', label: 'Cancelled', hue: 'third' };
/** From the axis up, so appointments that take place are at the bottom. */
const states: readonly Series[] = [
  { key: 'confirmed', label: 'Confirmed', hue: 'main' },
  { key: 'pending', label: 'Pending', hue: 'second' },
  cancelled,
];
const keptOrNot: readonly Series[] = [{ key: 'kept', label: 'Not cancelled', hue: 'main' }, cancelled];
const cancelledOnly: readonly Series[] = [cancelled];

/** The clinic's part of the overview: appointments by day, specialty and doctor, and cancellations. */
export function AppointmentFigures({ from, to }: SlotProps['overview']) {
  const report = useCall('reportAppointments', { query: { from, to } }, { keepPrevious: true });
  return (
    <ReportSection title="Appointments" report={report}>
      {(data) => <Charts report={data} />}
    </ReportSection>
  );
}

function Charts({ report }: { readonly report: AppointmentReport }) {
  const shown: Shown = {
    report,
    days: daysOf(report),
    span: `${report.from}-to-${report.to}`,
    empty: report.totals.all === 0 && 'There were no appointments in this period.',
  };
  return (
    <>
      <Figures figures={figuresOf(report)} />
      <div className="ui-charts">
        <AppointmentsChart {...shown} />
        <SpecialtiesChart {...shown} />
        <CancellationsChart {...shown} />
        <DoctorsChart {...shown} />
      </div>
    </>
  );
}

interface Shown {
  readonly report: AppointmentReport;
  readonly days: ReturnType<typeof daysOf>;
  /** For file names. */
  readonly span: string;
  /** Shown if there were no appointments. */
  readonly empty: string | false;
}

function daysOf({ from, to, byDay }: AppointmentReport) {
  return addUp(bucketsOf(from, to), byDay, ['total', 'confirmed', 'pending', 'cancelled']);
}

function AppointmentsChart({ report, days, empty }: Shown) {
  return (
    <TimeChart
      wide
      of="Appointments"
      period={report}
      bars={days}
      series={states}
      empty={empty}
      summary={`Appointments booked for each ${grainOf(report.from, report.to)}.`}
      columns={[
        { header: 'All', value: ({ values }) => values.total },
        { header: 'Confirmed', value: ({ values }) => values.confirmed },
        { header: 'Pending', value: ({ values }) => values.pending },
        { header: 'Cancelled', value: ({ values }) => values.cancelled },
      ]}
    />
  );
}

function SpecialtiesChart({ report: { bySpecialty }, span, empty }: Shown) {
  const specialties = bySpecialty.map((row) => ({ ...row, kept: row.total - row.cancelled }));
  return (
    <ChartPanel
      title="Appointments by specialty"
      legend={keptOrNot}
      rows={specialties}
      empty={empty}
      fileName={`appointments-by-specialty-${span}`}
      columns={[
        { header: 'Specialty', value: ({ specialty }) => specialty || 'None' },
        { header: 'All', value: ({ total }) => total },
        { header: 'Cancelled', value: ({ cancelled }) => cancelled },
      ]}
    >
      <RankChart
        rows={specialties.map(({ specialty, kept, cancelled }) => ({
          key: specialty,
          name: specialty || 'None',
          values: { kept, cancelled },
        }))}
        series={keptOrNot}
      />
    </ChartPanel>
  );
}

function CancellationsChart({ report, days }: Shown) {
  const { cancellations } = report;
  return (
    <TimeChart
      of="Cancellations"
      period={report}
      bars={days}
      series={cancelledOnly}
      empty={cancellations.count === 0 && 'There were no cancellations in this period.'}
      summary={cancellations.count > 0 && `${percent(cancellations.rate)} of all appointments.`}
      columns={[
        { header: 'Cancelled', value: ({ values }) => values.cancelled },
        { header: 'Of all', value: ({ values }) => values.total },
      ]}
    />
  );
}

function DoctorsChart({ report: { byDoctor }, span, empty }: Shown) {
  return (
    <ChartPanel
      wide
      title="Appointments by doctor"
      legend={states}
      rows={byDoctor}
      empty={empty}
      fileName={`load-per-doctor-${span}`}
      columns={[
        { header: 'Doctor', value: ({ name }) => name },
        { header: 'Specialty', value: ({ specialty }) => specialty },
        { header: 'All', value: ({ total }) => total },
        { header: 'Confirmed', value: ({ confirmed }) => confirmed },
        { header: 'Pending', value: ({ pending }) => pending },
        { header: 'Cancelled', value: ({ cancelled }) => cancelled },
      ]}
    >
      <RankChart
        rows={byDoctor.map(({ email, name, specialty, confirmed, pending, cancelled }) => ({
          key: email,
          name,
          detail: specialty,
          values: { confirmed, pending, cancelled },
        }))}
        series={states}
        most={12}
      />
    </ChartPanel>
  );
}

function figuresOf({ totals, cancellations, attendance, walkIns = 0 }: AppointmentReport): Figure[] {
  const written = (value: number): string => value.toLocaleString('en');
  return [
    { label: 'Appointments', value: written(totals.all), icon: 'calendar' },
    { label: 'Confirmed', value: written(totals.confirmed), icon: 'check-circle' },
    { label: 'Pending', value: written(totals.pending), icon: 'clock' },
    {
      label: 'Cancelled',
      value: written(totals.cancelled),
      hint: totals.all > 0 ? `${percent(cancellations.rate)} of all` : undefined,
      icon: 'x-circle',
    },
    // Nothing for a clinic that has none.
    ...(walkIns > 0 ? [{ label: 'Walk-ins', value: written(walkIns), icon: 'pin' as const }] : []),
    ...(attendance ? attendanceFigures(attendance) : []),
  ];
}

/** Nothing for a clinic that doesn’t note who comes. */
function attendanceFigures({ seen, missed, waiting }: NonNullable<AppointmentReport['attendance']>): Figure[] {
  if (seen + missed === 0) return [];
  return [
    {
      label: 'Didn’t come',
      value: missed.toLocaleString('en'),
      hint: `${percent(missed / (seen + missed))} of those noted`,
      icon: 'alert-circle',
    },
    ...(waiting
      ? [
          {
            label: 'Waiting time',
            value: `${waiting.median} min`,
            hint: `half waited no longer; 9 of 10 no longer than ${waiting.ninetieth} min`,
            icon: 'clock' as const,
          },
        ]
      : []),
  ];
}

/** @param share - 0 to 1 */
function percent(share: number): string {
  return share.toLocaleString('en', { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 });
}
