import { week } from '@clinic/contracts/opening-days';
import { render, screen, within } from '@testing-library/react';
import { prepareBrowser } from '../testing/browser.ts';
import { DayCalendar } from './day-calendar.tsx';

prepareBrowser();

test('weeks begin with the clinic’s first weekday', () => {
  render(
    <DayCalendar
      label="Date"
      today="2100-01-05"
      month="2100-01-05"
      onMonth={() => undefined}
      selected={[]}
      onDay={() => undefined}
    />,
  );
  // The day names are hidden from screen readers, which read each day's whole date.
  const [names, firstWeek] = within(screen.getByRole('grid', { name: 'Date', hidden: true })).getAllByRole('row', {
    hidden: true,
  });
  expect([...(names?.children ?? [])].map((name) => name.getAttribute('aria-label'))).toEqual([...week]);
  // 1 January 2100 is a Friday.
  expect([...(firstWeek?.children ?? [])].map(({ textContent }) => textContent)).toEqual(
    week.map((_, index) => (index < week.indexOf('Friday') ? '' : `${index - week.indexOf('Friday') + 1}`)),
  );
});
