import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { Button, Dialog, PageHeader, Pagination, StatCard, StatusBadge } from './index.ts';

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

interface Change {
  readonly before: ReactElement;
  readonly after: ReactElement;
  readonly shown: string;
}

const changes: Readonly<Record<string, Change>> = {
  'count of a heading': {
    before: <PageHeader title="Orders" count={3} />,
    after: <PageHeader title="Orders" count={4} />,
    shown: '4',
  },
  'range of pages': {
    before: <Pagination {...pages} from={1} />,
    after: <Pagination {...pages} from={21} />,
    shown: '21–40 of 64',
  },
  status: { before: <StatusBadge status="Pending" />, after: <StatusBadge status="Confirmed" />, shown: 'Confirmed' },
  figure: { before: <StatCard label="Sent" value="1" />, after: <StatCard label="Sent" value="2" />, shown: '2' },
  button: {
    before: <Button>Import 1 medicine</Button>,
    after: <Button>Import 2 medicines</Button>,
    shown: 'Import 2 medicines',
  },
  'title of a dialog': {
    before: <Dialog open title="Cart (1)" onClose={nothing} />,
    after: <Dialog open title="Cart (2)" onClose={nothing} />,
    shown: 'Cart (2)',
  },
};

test.each(Object.entries(changes))(
  'a page that the browser has translated shows a new %s',
  (_, { before, after, shown }) => {
    const { baseElement, rerender } = render(before);
    translate(baseElement);
    rerender(after);
    expect(baseElement.textContent).toContain(shown);
  },
);
