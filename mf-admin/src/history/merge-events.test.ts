import type { RecordEvent } from '@clinic/contracts';
import { mergeEvents } from './merge-events.ts';

const event = (second: number, action: string): RecordEvent => ({
  _id: action,
  at: `2026-11-01T00:00:0${second}.000Z`,
  action,
  record: { type: 'user', id: 'x' },
  people: [],
  before: null,
  after: {},
  requestId: 'r',
});

test('shows nothing older than what all services with more events have returned', () => {
  const parts = [
    { service: 'identity', rows: [event(5, 'e'), event(3, 'c')], more: true },
    { service: 'clinic', rows: [event(4, 'd'), event(3, 'k'), event(1, 'a')], more: false },
  ] as const;
  expect(mergeEvents(parts).map(({ action }) => action)).toEqual(['e', 'd', 'k', 'c']);
});
