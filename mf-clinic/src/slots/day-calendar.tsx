import { formatDate } from '@clinic/app-kit';
import { firstWeekday, weekdays } from '@clinic/contracts/opening-days';
import { Icon } from '@clinic/ui';
import { DayPicker, type ClassNames, type DayPickerProps } from 'react-day-picker';
import { fromCalendarDay, toCalendarDay } from './local-dates.ts';

const dayClassNames: Partial<ClassNames> = {
  root: 'relative w-full max-w-96',
  month_caption: 'flex h-10 items-center ps-1 font-semibold',
  nav: 'absolute end-0 top-0 flex gap-1',
  button_previous: 'btn btn-ghost btn-sm btn-square',
  button_next: 'btn btn-ghost btn-sm btn-square',
  month_grid: 'mt-2 w-full table-fixed border-separate border-spacing-y-1',
  weekday: 'pb-1 text-xs font-medium text-muted',
  day: 'p-0 text-center',
  day_button:
    'relative mx-auto grid h-10 w-full max-w-10 cursor-pointer place-items-center rounded-full text-sm font-semibold tabular-nums hover:bg-tint focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-primary disabled:cursor-not-allowed disabled:font-normal disabled:text-muted disabled:hover:bg-transparent disabled:opacity-60',
  today: 'underline underline-offset-4',
  selected: '[&>button]:bg-primary! [&>button]:text-primary-content!',
};

/** A day without free times is thinner and struck through: colour alone isn't enough. */
const modifierLooks = {
  full: '[&>button]:font-normal [&>button]:text-muted [&>button]:line-through',
  free: '[&>button]:text-primary',
  closed: '[&>button]:font-normal [&>button]:text-muted [&>button]:line-through',
  different: '[&>button]:ring-2 [&>button]:ring-primary [&>button]:ring-inset',
};

export interface DayCalendarProps {
  /** Accessible name. */
  readonly label: string;
  /** 'yyyy-mm-dd' in the clinic's time zone; earlier days can't be chosen. */
  readonly today: string;
  /** The last day that can be chosen; absent: no limit. */
  readonly until?: string | undefined;
  /** Any day of the displayed month, 'yyyy-mm-dd'. */
  readonly month: string;
  readonly onMonth: (month: string) => void;
  /** Free times by day, if known; a day without any is marked and labelled as full. */
  readonly free?: ReadonlyMap<string, number>;
  /** Days to point out, with why: closed ones are crossed out, different ones underlined. */
  readonly notes?: ReadonlyMap<string, DayNote>;
  readonly selected: readonly string[];
  readonly onDay: (date: string) => void;
  /** Several days can be chosen; pressing a chosen one removes it. */
  readonly several?: boolean;
}

export interface DayNote {
  readonly is: 'closed' | 'different';
  readonly text: string;
}

/** A month of days to choose from: arrow keys move by day and week, page keys by month (WAI-ARIA's date grid). */
export function DayCalendar({
  label,
  today,
  until,
  month,
  onMonth,
  free,
  notes,
  selected,
  onDay,
  several = false,
}: DayCalendarProps) {
  const freeOn = (day: Date) => free?.get(fromCalendarDay(day));
  const noteOn = (day: Date) => notes?.get(fromCalendarDay(day));
  const shared: DayPickerProps = {
    today: toCalendarDay(today),
    startMonth: toCalendarDay(today),
    ...(until !== undefined && { endMonth: toCalendarDay(until) }),
    disabled: [{ before: toCalendarDay(today) }, ...(until === undefined ? [] : [{ after: toCalendarDay(until) }])],
    // All months are as high as the tallest, so the buttons stay in place.
    fixedWeeks: true,
    weekStartsOn: weekdays.indexOf(firstWeekday) as 0 | 1 | 2 | 3 | 4 | 5 | 6,
    month: toCalendarDay(month),
    onMonthChange: (shown) => onMonth(fromCalendarDay(shown)),
    classNames: dayClassNames,
    modifiers: {
      full: (day) => freeOn(day) === 0,
      free: (day) => (freeOn(day) ?? 0) > 0,
      closed: (day) => noteOn(day)?.is === 'closed',
      different: (day) => noteOn(day)?.is === 'different',
    },
    modifiersClassNames: modifierLooks,
    labels: {
      labelDayButton: (day, modifiers) => {
        const count = modifiers['disabled'] ? undefined : freeOn(day);
        const note = noteOn(day);
        return `${formatDate(fromCalendarDay(day))}${modifiers['selected'] ? ', chosen' : ''}${count === undefined ? '' : `, ${describeFree(count)}`}${note ? `, ${note.text}` : ''}`;
      },
      labelGrid: () => label,
    },
    components: {
      Chevron: ({ orientation }) => <Icon name={orientation === 'left' ? 'chevron-left' : 'chevron-right'} size={18} />,
    },
  };
  const days = selected.filter((date) => date !== '').map(toCalendarDay);
  // Use the pressed day, not the component's selection: pressing the chosen day keeps it.
  const onSelect = (_: unknown, day: Date) => onDay(fromCalendarDay(day));
  return several ? (
    <DayPicker {...shared} mode="multiple" selected={days} onSelect={onSelect} />
  ) : (
    <DayPicker {...shared} mode="single" selected={days[0]} onSelect={onSelect} />
  );
}

function describeFree(count: number): string {
  if (count === 0) return 'no free times';
  return count === 1 ? '1 free time' : `${count} free times`;
}
