import { pretendItIs } from '@clinic/app-kit/test-clock';
import { badgesIn, combinations } from '@clinic/app-kit/test-combinations';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Message } from './calls.ts';
import { messageColumns } from './ledger/message-columns.tsx';
import { ownColumns } from './notifications/own-columns.tsx';
import { sentMessage } from './testing.tsx';
import { statusLabels } from './words.ts';

beforeAll(prepareEnvironment);
afterEach(() => jest.useRealTimers());

function wordsOf(element: ReactNode) {
  const { container, unmount } = render(element);
  const { textContent } = container;
  const badges = badgesIn(container);
  unmount();
  return { badges, text: textContent };
}

test('a message’s badge agrees with when it is due', () => {
  pretendItIs('2026-11-26T06:00:00Z');
  const asked = '2026-11-25T06:00:00Z';
  const own = ownColumns('Asia/Dhaka').find(({ key }) => key === 'status');
  const admins = messageColumns('Asia/Dhaka', () => undefined).find(({ key }) => key === 'status');
  const cases = combinations<Pick<Message, 'status' | 'dueAt'>>({
    // The last is of a newer release.
    status: [...(Object.keys(statusLabels) as Message['status'][]), 'queued' as 'pending'],
    // At once, by now, and still to come.
    dueAt: [asked, '2026-11-26T05:59:00Z', '2026-11-26T06:01:00Z'],
  });
  const known = { pending: 'On its way', sent: 'Sent', suppressed: 'Not sent', failed: 'Couldn’t be sent' };
  for (const one of cases) {
    const message: Message = { ...sentMessage, ...one, createdAt: asked, to: {}, attempts: 0 };
    const waits = one.status === 'pending' && one.dueAt > '2026-11-26T06:00:00Z';
    const toThem = wordsOf(own?.cell(message));
    expect({ ...one, badges: toThem.badges }).toEqual({
      ...one,
      badges: [waits ? 'Scheduled' : (known[one.status] ?? one.status)],
    });
    expect(toThem.text.includes('For ')).toBe(waits);
    const toAdmins = wordsOf(admins?.cell(message));
    expect(toAdmins.badges).toEqual([statusLabels[one.status] ?? one.status]);
    expect(toAdmins.text.includes('Due ')).toBe(one.status === 'pending' && one.dueAt > asked);
  }
});
