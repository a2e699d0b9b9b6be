import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { Alert, Button, Dialog, EmptyState, PageHeader, Pagination, StatCard, StatusBadge } from './index.ts';

/** Does what browsers do that translate a page: puts an element of their own in the place of each text. */
function translate(page: HTMLElement): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const own = document.createElement('font');
    own.textContent = text.data.replaceAll(/[A-Za-z]+/g, 'শব্দ');
    text.replaceWith(own);
  }
}

const nothing = (): void => undefined;
const pages = { hasPrevious: true, hasNext: true, onPrevious: nothing, onNext: nothing, count: 20, total: 64 };

const changes: readonly (readonly [string, ReactElement, ReactElement, string])[] = [
  ['count of a heading', <PageHeader title="Orders" count={3} />, <PageHeader title="Orders" count={4} />, '4'],
  ['pages', <Pagination {...pages} from={1} />, <Pagination {...pages} from={21} />, '21–40 of 64'],
  ['status', <StatusBadge status="Pending" />, <StatusBadge status="Confirmed" />, 'Confirmed'],
  ['figure', <StatCard label="Sent" value="1" />, <StatCard label="Sent" value="2" />, '2'],
  ['button', <Button>Import 1 medicine</Button>, <Button>Import 2 medicines</Button>, 'Import 2 medicines'],
  ['empty list', <EmptyState title="No emails yet" />, <EmptyState title="No emails match" />, 'No emails match'],
  [
    'title of a dialog',
    <Dialog open title="Cart (1)" onClose={nothing} />,
    <Dialog open title="Cart (2)" onClose={nothing} />,
    'Cart (2)',
  ],
  ['message', <Alert title="One" />, <Alert title="Two" />, 'Two'],
];

test.each(changes)('a page that the browser has translated shows a new %s', (_, before, after, shown) => {
  const { baseElement, rerender } = render(before);
  translate(baseElement);
  rerender(after);
  expect(baseElement.textContent).toContain(shown);
});
