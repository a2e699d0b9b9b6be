import { formatDate } from '@clinic/app-kit';
import type { Column } from '@clinic/ui/tables';

interface Entry {
  readonly title: string;
  readonly note: string;
  readonly author: string;
  readonly writtenAt: string;
}

export const entryColumns: Column<Entry>[] = [
  { key: 'title', header: 'Title', primary: true, cell: ({ title }) => title },
  { key: 'note', header: 'Note', cell: ({ note }) => note || '–' },
  { key: 'author', header: 'Written by', cell: ({ author }) => author },
  { key: 'writtenAt', header: 'Date', cell: ({ writtenAt }) => formatDate(writtenAt.slice(0, 10)) },
];
