import type { ListState, PagedCall } from '@clinic/app-kit/records';
import { Button } from '@clinic/ui';
import { actionsColumn, noneMatch } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import type { Column } from '@clinic/ui/tables';

interface PeopleTableProps<Row> {
  /** Who is listed, in the plural: 'Doctors'. */
  readonly caption: string;
  readonly page: PagedCall<unknown>;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly list: ListState;
  /** What to do if nobody matches. */
  readonly advice: string;
}

/** A list of people that can be narrowed down. */
export function PeopleTable<Row extends { readonly _id: string }>({
  caption,
  page,
  rows,
  columns,
  list,
  advice,
}: PeopleTableProps<Row>) {
  const people = caption.toLowerCase();
  const none = noneMatch(people, advice, list.clear);
  return (
    <PagedTable
      caption={caption}
      page={page}
      rows={rows}
      failure={`Error loading ${people}`}
      columns={columns}
      rowKey={(person) => person._id}
      empty={{ ...none, action: list.narrowed && none.action }}
    />
  );
}

/** The column whose button opens a person's profile. */
export function profileColumn<Row extends { readonly name: string }>(open: (person: Row) => void): Column<Row> {
  return actionsColumn((person) => (
    <Button variant="ghost" size="sm" icon="edit" aria-label={`Profile of ${person.name}`} onClick={() => open(person)}>
      Profile
    </Button>
  ));
}

/** '1 year', '8 years'. */
export function years(count: number): string {
  return `${count} ${count === 1 ? 'year' : 'years'}`;
}
