import { definePage, formatShortDate, useSearchParams, type SlotProps } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { PageHeader } from '@clinic/ui';
import type { ComponentType } from 'react';
import { PeriodChoice } from './period-choice.tsx';
import { periodOf, withPeriod } from './period.ts';
import '../setup.ts';

/**
 * Overview (`/dash/overview`): the clinic in figures. This page doesn't know which figures there are: every domain with
 * figures publishes them for the slot `overview`.
 *
 * @param Figures - shows them all, or a quiet panel for an unavailable domain
 */
export function createOverviewPage(Figures: ComponentType<SlotProps['overview']>) {
  return function OverviewPage() {
    const today = useClinicToday();
    const [search, setSearch] = useSearchParams();
    const period = periodOf(search, today);
    return (
      <>
        <PageHeader title="Overview" description={`${formatShortDate(period.from)} – ${formatShortDate(period.to)}`} />
        <PeriodChoice
          period={period}
          onChange={(name, span) =>
            setSearch(withPeriod(search, name, span), { replace: true, preventScrollReset: true })
          }
        />
        <div className="grid gap-12">
          <Figures from={period.from} to={period.to} />
        </div>
      </>
    );
  };
}

export default definePage({ createPage: async ({ openSlot }) => createOverviewPage(await openSlot('overview')) });
