import type { RecordEvent } from '@clinic/contracts';
import type { Page } from '@playwright/test';

/** The history calls of the three services. */
const histories = /\/(?:access-events\/all|appoinments\/events|orderMedi\/events)\?/;

const minute = 60_000;
const actions = ['booked', 'status changed', 'edited'] as const;

/**
 * Replaces the services' answers with a long history: one event per service and minute.
 *
 * @param ofEach events per service; endless if omitted
 */
export async function serveManyEvents(page: Page, ofEach = Number.POSITIVE_INFINITY): Promise<void> {
  await page.route(histories, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const limit = Number(searchParams.get('limit'));
    const from = Number(searchParams.get('cursor') ?? 0);
    const until = Math.min(from + limit, ofEach);
    const rows = Array.from({ length: until - from }, (_, index) => eventOf(pathname, from + index));
    await route.fulfill({
      json: rows,
      headers: until < ofEach ? { Link: `<${pathname}?cursor=${until}>; rel="next"` } : {},
    });
  });
}

function eventOf(pathname: string, place: number): RecordEvent {
  const type = pathname.startsWith('/appoinments')
    ? 'appointment'
    : pathname.startsWith('/orderMedi')
      ? 'order'
      : 'user';
  const id = place.toString(16).padStart(24, '0');
  return {
    _id: id,
    at: new Date(Date.UTC(2026, 10, 20) - place * minute).toISOString(),
    actor: { email: `person${place}@mail.example`, role: 'admin' },
    action: actions[place % actions.length] ?? 'edited',
    record: { type, id },
    people: ['amina@mail.example'],
    requestId: id,
    before: { status: 'Pending', note: 'Ring twice' },
    after: { status: 'Confirmed', note: `Ring ${place} times, and wait for a while` },
  };
}
