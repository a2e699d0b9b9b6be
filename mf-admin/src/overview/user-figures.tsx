import { useCall, type SlotProps } from '@clinic/app-kit';
import { roleLabels, roles, type UserReport } from '@clinic/contracts';
import {
  addUp,
  BarChart,
  bucketsOf,
  ChartPanel,
  Figures,
  FiguresSection,
  grainOf,
  RankChart,
  timeColumn,
  type Series,
} from '@clinic/ui/charts';

const series: readonly Series[] = [{ key: 'count', label: 'New users', hue: 'main' }];
const byRole: readonly Series[] = [{ key: 'count', label: 'Users', hue: 'main' }];

/** The administration's part of the overview: new accounts and all accounts. */
export function UserFigures({ from, to }: SlotProps['overview']) {
  const report = useCall('reportUsers', { query: { from, to } }, { keepPrevious: true });
  return (
    <FiguresSection
      title="Users"
      error={report.error?.message}
      refreshing={report.isPlaceholderData}
      onRetry={() => void report.refetch()}
    >
      {report.data && <Charts report={report.data} />}
    </FiguresSection>
  );
}

function Charts({ report }: { readonly report: UserReport }) {
  const grain = grainOf(report.from, report.to);
  const days = addUp(bucketsOf(report.from, report.to, grain), report.newByDay, ['count']);
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
        <ChartPanel
          title={`New users by ${grain}`}
          rows={days}
          empty={report.created === 0 && 'There were no new users in this period.'}
          fileName={`new-users-by-${grain}-${report.from}-to-${report.to}`}
          columns={[timeColumn(grain), { header: 'New users', value: ({ values }) => values.count }]}
        >
          <BarChart label={`New users by ${grain}`} points={days} series={series} />
        </ChartPanel>
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
