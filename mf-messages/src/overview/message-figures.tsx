import { useCall, useConfig, type SlotProps } from '@clinic/app-kit';
import {
  addUp,
  bucketsOf,
  ChartPanel,
  Figures,
  RankChart,
  type ChartColumn,
  type Figure,
  type Series,
} from '@clinic/ui/charts';
import { ReportSection } from '@clinic/ui/report-section';
import { TimeChart } from '@clinic/ui/time-chart';
import type { MessageFigures as Report } from '../calls.ts';
import { instantInWords, labelOf } from '../words.ts';

/** From the axis up, so what went well is at the bottom. */
const states: readonly Series[] = [
  { key: 'sent', label: 'Sent', hue: 'main' },
  { key: 'pending', label: 'Pending', hue: 'second' },
  { key: 'failed', label: 'Failed', hue: 'third' },
];
const fields = ['sent', 'pending', 'failed', 'suppressed'] as const;

type Counts = Readonly<Record<(typeof fields)[number], number>>;

/** The columns of both tables. */
const counts: readonly ChartColumn<{ readonly values: Counts }>[] = [
  { header: 'Sent', value: ({ values }) => values.sent },
  { header: 'Pending', value: ({ values }) => values.pending },
  { header: 'Failed', value: ({ values }) => values.failed },
  { header: 'Not sent', value: ({ values }) => values.suppressed },
];

/** The messages' part of the overview: sent, pending and failed by day and kind. Whether they were opened isn't tracked. */
export function MessageFigures({ from, to }: SlotProps['overview']) {
  const report = useCall('getMessageFigures', { query: { from, to } }, { keepPrevious: true });
  return (
    <ReportSection title="Messages" report={report}>
      {(data) => <Charts report={data} />}
    </ReportSection>
  );
}

function Charts({ report }: { readonly report: Report }) {
  const { clinicTimeZone } = useConfig();
  const days = addUp(
    bucketsOf(report.from, report.to),
    report.days.map(({ day, ...counts }) => ({ date: day, ...counts })),
    fields,
  );
  const kinds = byKind(report);
  const empty = report.days.length === 0 && 'There were no messages in this period.';
  return (
    <>
      <Figures figures={figuresOf(report, clinicTimeZone)} />
      <div className="ui-charts">
        <TimeChart of="Messages" period={report} bars={days} series={states} empty={empty} columns={counts} />
        <ChartPanel
          title="Messages by kind"
          legend={states}
          rows={kinds}
          empty={empty}
          fileName={`messages-by-kind-${report.from}-to-${report.to}`}
          columns={[{ header: 'Kind', value: ({ name }) => name }, ...counts]}
        >
          <RankChart rows={kinds} series={states} />
        </ChartPanel>
      </div>
    </>
  );
}

function sumOf(rows: readonly Counts[]): Counts {
  const of = (field: keyof Counts): number => rows.reduce((sum, row) => sum + row[field], 0);
  return { sent: of('sent'), pending: of('pending'), failed: of('failed'), suppressed: of('suppressed') };
}

/** Most messages first. */
function byKind({ days }: Report) {
  return [...Map.groupBy(days, ({ kind }) => kind)]
    .map(([kind, rows]) => ({ key: kind, name: labelOf(kind), values: sumOf(rows) }))
    .toSorted((a, b) => b.values.sent - a.values.sent || a.name.localeCompare(b.name));
}

function figuresOf({ days, failed, oldestDue }: Report, timeZone: string): Figure[] {
  const sums = sumOf(days);
  const written = (value: number): string => value.toLocaleString('en');
  return [
    { label: 'Sent', value: written(sums.sent), icon: 'mail' },
    {
      label: 'Pending',
      value: written(sums.pending),
      hint: oldestDue === undefined ? undefined : `due since ${instantInWords(oldestDue, timeZone)}`,
      icon: 'clock',
    },
    { label: 'Failed', value: written(failed), hint: 'all time, until sent again', icon: 'x-circle' },
    { label: 'Not sent', value: written(sums.suppressed), hint: 'on purpose', icon: 'minus' },
  ];
}
