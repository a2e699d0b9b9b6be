import { clinicMoment, definePage, formatTime, useCall, useConfig, useParams } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { brand, classNames } from '@clinic/ui';
import { useEffect, useState } from 'react';
import './calls.ts';
import '../setup.ts';

/** Milliseconds between two questions. */
const every = 5_000;

/** The same at an address that has ended: several screens that went on asking would use up their network's wrong attempts. */
const everyOnceEnded = 120_000;

/** Milliseconds after which the screen says that it is old. */
const staleAfter = 30_000;

/** How many calls stay readable from five metres. */
const shown = 6;

/** `/waiting-screen/:secret`: which number goes to which room, for the screen in the waiting room. It has no buttons. */
export function ScreenPage() {
  const { secret = '' } = useParams();
  const { clinicTimeZone } = useConfig();
  const { time } = useClinicNow();
  const [pause, setPause] = useState(every);
  const answer = useCall('readWaitingRoom', { params: { secret } }, { refetchInterval: pause, staleTime: 0 });
  const now = useNow(every);
  useWholeScreen();
  const { data, error, dataUpdatedAt } = answer;
  const gone = error?.code === 'not_found';
  const next = gone ? everyOnceEnded : every;
  if (next !== pause) setPause(next);
  const stale = data !== undefined && now - dataUpdatedAt > staleAfter;
  const at = (instant: number): string => formatTime(clinicMoment(new Date(instant), clinicTimeZone).time);
  return (
    <div className="fixed inset-0 z-50 grid grid-rows-[auto_1fr_auto] gap-[3vmin] overflow-hidden bg-base-100 p-[4vmin] text-base-content">
      <div className="flex items-baseline justify-between gap-4">
        <h1 className="text-[5vmin] font-bold">{brand.brandName}</h1>
        <p className="text-[5vmin] font-semibold tabular-nums">{formatTime(time)}</p>
      </div>
      {gone ? (
        <p className="self-center text-center text-[6vmin] font-semibold" role="alert">
          This screen’s address has ended. Ask at the reception for a new one.
        </p>
      ) : !data ? (
        <p className="self-center text-center text-[6vmin]" role={error ? 'alert' : undefined}>
          {error ? 'We can’t reach the clinic. Trying again …' : 'Loading...'}
        </p>
      ) : (
        <Called called={data.called.slice(0, shown)} dimmed={stale} />
      )}
      <div className="grid gap-[2vmin] text-[4vmin]">
        {stale && !gone && (
          <p className="rounded-card bg-error px-[3vmin] py-[1.5vmin] font-semibold text-error-content" role="alert">
            Not up to date since {at(dataUpdatedAt)}. Ask at the reception.
          </p>
        )}
        {data && !gone && data.waiting.length > 0 && (
          <p className="truncate text-muted tabular-nums">Waiting: {data.waiting.join(', ')}</p>
        )}
      </div>
    </div>
  );
}

interface CalledProps {
  readonly called: readonly { readonly number: number; readonly room: string }[];
  readonly dimmed: boolean;
}

function Called({ called, dimmed }: CalledProps) {
  if (called.length === 0)
    return (
      <output className="ui-state-title self-center text-center text-[6vmin]!">Nobody is called at the moment</output>
    );
  return (
    <ul
      aria-live="polite"
      className={classNames(
        'grid content-start gap-[2vmin]',
        called.length > 3 && 'landscape:grid-cols-2',
        dimmed && 'opacity-50',
      )}
    >
      {called.map(({ number, room }) => (
        <li
          key={number}
          className="flex min-w-0 items-center gap-[4vmin] rounded-card bg-tint px-[4vmin] py-[1vmin] text-primary"
        >
          <span className="text-[15vmin] leading-none font-bold tabular-nums">{number}</span>
          <span className="min-w-0 text-[6vmin] leading-tight font-semibold wrap-anywhere">{room}</span>
        </li>
      ))}
    </ul>
  );
}

/** The page below, with its menu and footer, can’t be scrolled to. */
function useWholeScreen(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const before = style.overflow;
    style.overflow = 'hidden';
    return () => {
      style.overflow = before;
    };
  }, []);
}

/** Milliseconds since 1970, read now and then: an answer that doesn’t come draws nothing by itself. */
function useNow(milliseconds: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
  return now;
}

export default definePage({ Component: ScreenPage });
