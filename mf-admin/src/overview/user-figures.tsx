import { useCall, type SlotProps } from '@clinic/app-kit';
import { roleLabels, roles } from '@clinic/contracts';
import type { UserReport } from '@clinic/svc-identity/contract/reports';
import { addUp, bucketsOf, ChartPanel, Figures, RankChart, type Series } from '@clinic/ui/charts';
import { ReportSection } from '@clinic/ui/report-section';
import { TimeChart } from '@clinic/ui/time-chart';

const series: readonly Series[] = [{ key: 'count', label: 'New users', hue: 'main' }];
const byRole: readonly Series[] = [{ key: 'count', label: 'Users', hue: 'main' }];

/** The administration's part of the overview: new accounts and all accounts. */
export function UserFigures({ from, to }: SlotProps['overview']) {
  const report = useCall('reportUsers', { query: { from, to } }, { keepPrevious: true });
  return (
    <ReportSection title="Users" report={report}>
      {(data) => <Charts report={data} />}
    </ReportSection>
  );
}

function Charts({ report }: { readonly report: UserReport }) {
  const days = addUp(bucketsOf(report.from, report.to), report.newByDay, ['count']);
  const groups = roles
    .map((role) => ({ role, label: roleLabels[role], count: report.byRole[role] }))
    .toSorted((a, b) => b.count - a.count);
  return (
    <>
      <Figures
        figures={[
          { label: 'New users', value: report.created.toLocaleString('en'), icon: 'user' },
          { label: 'All users', value: report.total.toLocaleString('en'), hint: 'today', icon: 'users' },
        ]}
      />
      <div className="ui-charts">
        <TimeChart
          of="New users"
          period={report}
          bars={days}
          series={series}
          empty={report.created === 0 && 'There were no new users in this period.'}
          columns={[{ header: 'New users', value: ({ values }) => values.count }]}
        />
        <ChartPanel
          title="Users by role"
          summary="As of today."
          rows={groups}
          fileName="users-by-role"
          columns={[
            { header: 'Role', value: ({ label }) => label },
            { header: 'Users', value: ({ count }) => count },
          ]}
        >
          <RankChart
            rows={groups.map(({ role, label, count }) => ({ key: role, name: label, values: { count } }))}
            series={byRole}
          />
        </ChartPanel>
      </div>
    </>
  );
}
